#!/bin/bash -eu
# What OSS-Fuzz calls: it builds a libFuzzer program for each target below into $OUT, with its dictionary and its seeds. The targets are those
# whose files need no other test file, since go-118-fuzz-build, with which compile_native_go_fuzzer compiles them, takes one file of a package.
# To try it elsewhere: .ci/oss-fuzz/local FOLDER.
here=$(dirname "$(readlink -f "$0")")
module=$(go list -m)
go get github.com/AdamKorcz/go-118-fuzz-build/testing

while read -r folder file dictionary targets; do
	# A test of its own package stays in it under a name that makes it part of the package; one from outside gets a package to itself.
	name=$(basename "$folder")
	if grep -q "^package .*_test\$" "$folder/$file"; then
		to=internal/ossfuzz/${file%_test.go}_$name
		mkdir -p "$to"
		sed "s/^package .*_test\$/package ${file%_test.go}_$name/" "$folder/$file" >"$to/target.go"
	else
		to=$folder
		cp "$folder/$file" "$to/${file%_test.go}_target.go"
	fi
	mv "$folder/$file" "$folder/$file.moved"
	for target in $targets; do
		program=${name}_$target
		compile_native_go_fuzzer "$module/$to" "$target" "$program"
		if [ "$dictionary" != - ]; then cp "$here/$dictionary.dict" "$OUT/$program.dict"; fi
	done
	mv "$folder/$file.moved" "$folder/$file"
	rm -f "$folder/${file%_test.go}_target.go"
done <<END
internal/notation/bnf fuzz_test.go abnf FuzzDocument
internal/urls/render fuzz_test.go - FuzzReadSummary
internal/analysis/interpreter fuzz_test.go - FuzzDerive
internal/proof/diff fuzz_test.go - FuzzCompare
internal/automata/lang fuzz_test.go - FuzzAlgebra FuzzPEG
internal/analysis/lint fuzz_test.go - FuzzLint
internal/base/quote fuzz_test.go url FuzzForms
internal/notation/peg fuzz_test.go peg FuzzRead FuzzPeggy
internal/proof/prove fuzz_test.go - FuzzProve
internal/proof/bnftopeg fuzz_test.go - FuzzPEG
internal/peers/vectors fuzz_test.go url FuzzReadInputs
internal/peers/vectors plan_fuzz_test.go - FuzzPlan
END
