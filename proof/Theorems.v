(** The theorems. For each production of RFC 1738 and of RFC 1630, and for every word: the production derives the word exactly
    if the rule of the PEG matches it from its first byte to its last, and the rule either succeeds or fails. *)

Require Import Grammar Reader Total.
Require Rfc1738 Rfc1738Certificate Rfc1630 Rfc1630Certificate.

(** So that the theorems are about the languages that one thinks of: these words are derived, and these are not. *)
Definition rfc1738_examples : list (string * string * bool) := [
  ("url", "http://www.example.org:80/rfc/rfc1738.txt?a=b;c", true);
  ("url", "ftp://user:@host/a/b;type=i", true);
  ("url", "mailto:a@b", true);
  ("url", "news:*", true);
  ("url", "http://host/a b", false);
  ("url", "", false);
  ("httpurl", "http://host/%7Euser", true);
  ("httpurl", "http://host/~user", false);
  ("hostname", "a.b-c.d", true);
  ("hostname", "a..b", false);
  ("hostname", "a.1", false);
  ("hostnumber", "127.0.0.1", true);
  ("domainlabel", "a-", false);
  ("password", "", true);
  ("punctuation", """", true);
  ("escape", "%4G", false);
  ("escape", "%4f", true)
]%string.

Definition rfc1630_examples : list (string * string * bool) := [
  ("uri_fragmentaddress", "http://host/a#b", true);
  ("url", "http://host:80/a//b?c+d", true);
  ("url", "http://host/a#b", false);
  ("url", "news:a@b.c", true);
  ("url", "", false);
  ("prefixedurl", "url:ftp://user:pass@host/a/b", true);
  ("uri_path", "", true);
  ("uri_path", "a/b", true);
  ("uri_path", "a?", false);
  ("hostname", "a..b", true);
  ("hostnumber", "127.0.0.1", true);
  ("hostnumber", "127.0.0", false);
  ("url_extra", """", true);
  ("url_void", "", true);
  ("url_void", "a", false)
]%string.

Lemma rfc1738_verified :
  equal_pairs Rfc1738.productions Rfc1738.rules Rfc1738.pairs /\ examples_right Rfc1738.productions rfc1738_examples.
Proof. apply (verifies_right _ Rfc1738.rules Rfc1738Certificate.certificate). vm_cast_no_check (eq_refl true). Qed.

Lemma rfc1630_verified :
  equal_pairs Rfc1630.productions Rfc1630.rules Rfc1630.pairs /\ examples_right Rfc1630.productions rfc1630_examples.
Proof. apply (verifies_right _ Rfc1630.rules Rfc1630Certificate.certificate). vm_cast_no_check (eq_refl true). Qed.

Theorem rfc1738 : equal_pairs Rfc1738.productions Rfc1738.rules Rfc1738.pairs.
Proof. exact (proj1 rfc1738_verified). Qed.

Theorem rfc1630 : equal_pairs Rfc1630.productions Rfc1630.rules Rfc1630.pairs.
Proof. exact (proj1 rfc1630_verified). Qed.

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
