(** The theorems. For each production of RFC 1738 and of RFC 1630, and for every word: the production derives the word exactly
    if the rule of the PEG matches it from its first byte to its last, and the rule either succeeds or fails. *)

Require Import Grammar Reader Total.
Require Rfc1738 Rfc1738Certificate Rfc1630 Rfc1630Certificate.

Theorem rfc1738 : equal_pairs Rfc1738.productions Rfc1738.rules Rfc1738.pairs.
Proof. apply (verifies_right _ _ Rfc1738Certificate.certificate). vm_cast_no_check (eq_refl true). Qed.

Theorem rfc1630 : equal_pairs Rfc1630.productions Rfc1630.rules Rfc1630.pairs.
Proof. apply (verifies_right _ _ Rfc1630Certificate.certificate). vm_cast_no_check (eq_refl true). Qed.

(** No production is left out. *)
Theorem rfc1738_all : map fst Rfc1738.pairs = map fst Rfc1738.productions.
Proof. reflexivity. Qed.

Theorem rfc1630_all : map fst Rfc1630.pairs = map fst Rfc1630.productions.
Proof. reflexivity. Qed.

(** What they say of a URL. *)
Corollary rfc1738_url w : derives Rfc1738.productions (Rule "url") w <-> matches Rfc1738.rules "url" w.
Proof. apply rfc1738. repeat first [left; reflexivity | right]. Qed.

Corollary rfc1630_url w : derives Rfc1630.productions (Rule "url") w <-> matches Rfc1630.rules "url" w.
Proof. apply rfc1630. repeat first [left; reflexivity | right]. Qed.

Print Assumptions rfc1738.
Print Assumptions rfc1630.
