package budget

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// What passes its fraction of the steps leaves the others.
func TestFraction(t *testing.T) {
	b := New(context.Background(), Limits{Steps: 1 << 20})
	endless := func() {
		for {
			b.Step(1000)
		}
	}
	for i := range 10 {
		err := b.Fraction(2, endless)
		if e, ok := errors.AsType[*Exceeded](err); !ok || e.Limit != Steps || e.Size > 1<<(19-i) {
			t.Fatalf("%d: %v", i, err)
		}
	}
	if err := b.Fraction(2, func() { b.Step(1) }); err != nil {
		t.Error(err)
	}
	inner := errors.New("nothing was left of the outer fraction")
	if err := b.Fraction(2, func() {
		if b.Fraction(2, endless) != nil {
			inner = nil
		}
	}); err != nil || inner != nil {
		t.Error(err, inner)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	late := New(ctx, Limits{Steps: 1 << 20})
	err := func() (err error) {
		defer Catch(&err)
		return late.Fraction(2, func() {
			for {
				late.Step(1000)
			}
		})
	}()
	if e, ok := errors.AsType[*Exceeded](err); !ok || e.Limit != Time {
		t.Errorf("after the deadline: %v", err)
	}
}

// Check fails where the steps are used up, of the whole or of a part, and takes none.
func TestCheck(t *testing.T) {
	fails := func(b *Budget) bool {
		taken := b.Taken()
		defer func() {
			if b.Taken() != taken {
				t.Errorf("%d steps were taken", b.Taken()-taken)
			}
		}()
		var err error
		func() {
			defer Catch(&err)
			b.Check()
		}()
		return err != nil
	}
	b := New(context.Background(), Limits{Steps: 10})
	if fails(nil) || fails(b) {
		t.Error("it fails before a step")
	}
	_ = b.Fraction(2, func() {
		var err error
		func() {
			defer Catch(&err)
			b.Step(7)
		}()
		if err == nil || !fails(b) {
			t.Error("it does not fail where a part is used up")
		}
	})
	if fails(b) {
		t.Error("it fails where only a part is used up")
	}
	var err error
	func() {
		defer Catch(&err)
		b.Step(7)
	}()
	if err == nil || !fails(b) {
		t.Error("it does not fail where all is used up")
	}
}

// Every passed limit is too large, but for the time.
func TestIsTooLarge(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("another"), false},
		{ErrTooLarge, true},
		{fmt.Errorf("it is %w", ErrTooLarge), true},
		{&Exceeded{Limit: Steps}, true},
		{&Exceeded{Limit: Time}, false},
		{fmt.Errorf("a: %w", &Exceeded{Limit: Time}), false},
	} {
		if got := IsTooLarge(tt.err); got != tt.want {
			t.Errorf("%v: %t, want %t", tt.err, got, tt.want)
		}
	}
}

// A part of the work is limited even if the whole is not.
func TestPartOfNothing(t *testing.T) {
	var none *Budget
	part := none.Part(10)
	defer func() {
		if e, ok := recover().(*Exceeded); !ok || e.Limit != Steps || e.Size != 10 {
			t.Errorf("11 steps of 10: %v", e)
		}
	}()
	part.Step(10)
	part.Step(1)
}
