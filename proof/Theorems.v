(** The theorems. For each production of RFC 1738, RFC 1630, RFC 3986 and the draft, and for every word: the production derives the
    word exactly if the rule of the PEG matches it from its first byte to its last, and the rule either succeeds or fails; and the
    table in the package that is generated of the grammar, run by the loop in Table.v, accepts exactly the words that the production
    derives. Both hold of the productions as they are printed in Rfc3986.v and the like, and of what the readers make of the bytes
    of the files in grammar. *)

Require Import Grammar Reader Table Total Files Alike.
Require Rfc1738 Rfc1738Certificate Rfc1738Text Rfc1630 Rfc1630Certificate Rfc1630Text.
Require Rfc3986 Rfc3986Certificate Rfc3986Text Draft06 Draft06Certificate Draft06Text.

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

Definition rfc3986_examples : list (string * string * bool) := [
  ("URI", "http://a.example:80/b/c?d=e#f", true);
  ("URI", "urn:a", true);
  ("URI", "http://[::ffff:127.0.0.1]/", true);
  ("URI", "http://[v7.a:b]/", true);
  ("URI", "http://[1::2::3]/", false);
  ("URI", "//a", false);
  ("URI", "a:b c", false);
  ("URI-reference", "../b", true);
  ("URI-reference", "", true);
  ("relative-ref", "a:b", false);
  ("IPv6address", "1:2:3:4:5:6:7:8", true);
  ("IPv6address", "1:2:3:4:5:6:7", false);
  ("IPv6address", "::", true);
  ("h16", "12345", false);
  ("dec-octet", "255", true);
  ("dec-octet", "256", false);
  ("path-empty", "", true);
  ("pct-encoded", "%4f", true)
]%string.

Definition draft06_examples : list (string * string * bool) := [
  ("url", "http://host:80/a/b?c", true);
  ("url", "file://host/a", true);
  ("url", "", false);
  ("hostname", "a..b", true);
  ("hostname", "1a", false);
  ("ftptype", "A", true);
  ("ftptype", "b", false)
]%string.

Lemma rfc1738_verified :
  verifies Rfc1738.productions Rfc1738.rules Rfc1738Certificate.certificate Rfc1738.pairs Rfc1738.different Rfc1738.tabled rfc1738_examples = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma rfc1630_verified :
  verifies Rfc1630.productions Rfc1630.rules Rfc1630Certificate.certificate Rfc1630.pairs Rfc1630.different Rfc1630.tabled rfc1630_examples = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma rfc3986_verified :
  verifies Rfc3986.productions Rfc3986.rules Rfc3986Certificate.certificate Rfc3986.pairs Rfc3986.different Rfc3986.tabled rfc3986_examples = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma draft06_verified :
  verifies Draft06.productions Draft06.rules Draft06Certificate.certificate Draft06.pairs Draft06.different Draft06.tabled draft06_examples = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem rfc1738 : equal_pairs Rfc1738.productions Rfc1738.rules Rfc1738.pairs.
Proof. exact (proj1 (verifies_right _ _ _ _ _ _ _ rfc1738_verified)). Qed.

Theorem rfc1630 : equal_pairs Rfc1630.productions Rfc1630.rules Rfc1630.pairs.
Proof. exact (proj1 (verifies_right _ _ _ _ _ _ _ rfc1630_verified)). Qed.

Theorem rfc3986 : equal_pairs Rfc3986.productions Rfc3986.rules Rfc3986.pairs.
Proof. exact (proj1 (verifies_right _ _ _ _ _ _ _ rfc3986_verified)). Qed.

Theorem draft06 : equal_pairs Draft06.productions Draft06.rules Draft06.pairs.
Proof. exact (proj1 (verifies_right _ _ _ _ _ _ _ draft06_verified)). Qed.

Definition rfc1738_parser : table := table_in Rfc1738Certificate.certificate.

Theorem rfc1738_table : table_equal Rfc1738.productions rfc1738_parser Rfc1738.tabled.
Proof. exact (proj1 (proj2 (proj2 (verifies_right _ _ _ _ _ _ _ rfc1738_verified)))). Qed.

Definition rfc1630_parser : table := table_in Rfc1630Certificate.certificate.

Theorem rfc1630_table : table_equal Rfc1630.productions rfc1630_parser Rfc1630.tabled.
Proof. exact (proj1 (proj2 (proj2 (verifies_right _ _ _ _ _ _ _ rfc1630_verified)))). Qed.

Definition rfc3986_parser : table := table_in Rfc3986Certificate.certificate.

Theorem rfc3986_table : table_equal Rfc3986.productions rfc3986_parser Rfc3986.tabled.
Proof. exact (proj1 (proj2 (proj2 (verifies_right _ _ _ _ _ _ _ rfc3986_verified)))). Qed.

Definition draft06_parser : table := table_in Draft06Certificate.certificate.

Theorem draft06_table : table_equal Draft06.productions draft06_parser Draft06.tabled.
Proof. exact (proj1 (proj2 (proj2 (verifies_right _ _ _ _ _ _ _ draft06_verified)))). Qed.

Theorem rfc1738_words : examples_right Rfc1738.productions rfc1738_examples.
Proof. exact (proj2 (proj2 (proj2 (verifies_right _ _ _ _ _ _ _ rfc1738_verified)))). Qed.

Theorem rfc1630_words : examples_right Rfc1630.productions rfc1630_examples.
Proof. exact (proj2 (proj2 (proj2 (verifies_right _ _ _ _ _ _ _ rfc1630_verified)))). Qed.

Theorem rfc3986_words : examples_right Rfc3986.productions rfc3986_examples.
Proof. exact (proj2 (proj2 (proj2 (verifies_right _ _ _ _ _ _ _ rfc3986_verified)))). Qed.

Theorem draft06_words : examples_right Draft06.productions draft06_examples.
Proof. exact (proj2 (proj2 (proj2 (verifies_right _ _ _ _ _ _ _ draft06_verified)))). Qed.

(** No production is left out. *)
Theorem rfc1738_all : map fst Rfc1738.pairs = map fst Rfc1738.productions /\ Rfc1738.tabled = map fst Rfc1738.productions.
Proof. split; reflexivity. Qed.

Theorem rfc1630_all : map fst Rfc1630.pairs = map fst Rfc1630.productions /\ Rfc1630.tabled = map fst Rfc1630.productions.
Proof. split; reflexivity. Qed.

Theorem rfc3986_all : map fst Rfc3986.pairs = map fst Rfc3986.productions /\ Rfc3986.tabled = map fst Rfc3986.productions.
Proof. split; reflexivity. Qed.

Theorem draft06_all : map fst Draft06.pairs = map fst Draft06.productions /\ Draft06.tabled = map fst Draft06.productions.
Proof. split; reflexivity. Qed.

(** What they say of a URL, and of a URI. *)
Corollary rfc1738_url_table w : table_accepts rfc1738_parser "url" w = true <-> derives Rfc1738.productions (Rule "url") w.
Proof. apply rfc1738_table. repeat first [left; reflexivity | right]. Qed.

Corollary rfc1738_url w : derives Rfc1738.productions (Rule "url") w <-> matches Rfc1738.rules "url" w.
Proof. apply rfc1738. repeat first [left; reflexivity | right]. Qed.

Corollary rfc1630_url_table w : table_accepts rfc1630_parser "url" w = true <-> derives Rfc1630.productions (Rule "url") w.
Proof. apply rfc1630_table. repeat first [left; reflexivity | right]. Qed.

Corollary rfc1630_url w : derives Rfc1630.productions (Rule "url") w <-> matches Rfc1630.rules "url" w.
Proof. apply rfc1630. repeat first [left; reflexivity | right]. Qed.

Corollary rfc3986_uri_table w : table_accepts rfc3986_parser "URI" w = true <-> derives Rfc3986.productions (Rule "URI") w.
Proof. apply rfc3986_table. repeat first [left; reflexivity | right]. Qed.

Corollary rfc3986_uri w : derives Rfc3986.productions (Rule "URI") w <-> matches Rfc3986.rules "URI" w.
Proof. apply rfc3986. repeat first [left; reflexivity | right]. Qed.

Corollary draft06_url_table w : table_accepts draft06_parser "url" w = true <-> derives Draft06.productions (Rule "url") w.
Proof. apply draft06_table. repeat first [left; reflexivity | right]. Qed.

Corollary draft06_url w : derives Draft06.productions (Rule "url") w <-> matches Draft06.rules "url" w.
Proof. apply draft06. repeat first [left; reflexivity | right]. Qed.

(** The files. The productions are those of a .bnf file, with the lines "assume" of the certificate; the rules those of a .peg file. *)
Definition file_productions (bnf assumed : list text) : grammar := grammar_of (productions_read (joined bnf) (joined assumed)).
Definition file_rules (peg : list text) : grammar := grammar_of (rules_read (joined peg)).

Definition proven_of_files (bnf assumed peg : list text) (pairs : list (string * string)) (t : table) (tabled : list string) : Prop :=
  equal_pairs (file_productions bnf assumed) (file_rules peg) pairs /\ table_equal (file_productions bnf assumed) t tabled.

Lemma files_right g p pairs t tabled bnf assumed peg : equal_pairs g p pairs -> table_equal g t tabled ->
  (alike g (file_productions bnf assumed) && alike p (file_rules peg))%bool = true -> proven_of_files bnf assumed peg pairs t tabled.
Proof.
  intros E T A. apply andb_prop in A as [G P]. split; [exact (alike_pairs g _ p _ pairs G P E)|exact (alike_tables g _ t tabled G T)].
Qed.

Theorem rfc1738_files : proven_of_files Rfc1738Text.bnf Rfc1738Text.assumed Rfc1738Text.peg Rfc1738.pairs rfc1738_parser Rfc1738.tabled.
Proof. apply (files_right _ _ _ _ _ _ _ _ rfc1738 rfc1738_table). vm_cast_no_check (eq_refl true). Qed.

Theorem rfc1630_files : proven_of_files Rfc1630Text.bnf Rfc1630Text.assumed Rfc1630Text.peg Rfc1630.pairs rfc1630_parser Rfc1630.tabled.
Proof. apply (files_right _ _ _ _ _ _ _ _ rfc1630 rfc1630_table). vm_cast_no_check (eq_refl true). Qed.

Theorem rfc3986_files : proven_of_files Rfc3986Text.bnf Rfc3986Text.assumed Rfc3986Text.peg Rfc3986.pairs rfc3986_parser Rfc3986.tabled.
Proof. apply (files_right _ _ _ _ _ _ _ _ rfc3986 rfc3986_table). vm_cast_no_check (eq_refl true). Qed.

Theorem draft06_files : proven_of_files Draft06Text.bnf Draft06Text.assumed Draft06Text.peg Draft06.pairs draft06_parser Draft06.tabled.
Proof. apply (files_right _ _ _ _ _ _ _ _ draft06 draft06_table). vm_cast_no_check (eq_refl true). Qed.

Print Assumptions rfc1738.
Print Assumptions rfc1738_table.
Print Assumptions rfc1738_files.
Print Assumptions rfc1630.
Print Assumptions rfc1630_table.
Print Assumptions rfc1630_files.
Print Assumptions rfc3986.
Print Assumptions rfc3986_table.
Print Assumptions rfc3986_files.
Print Assumptions draft06.
Print Assumptions draft06_table.
Print Assumptions draft06_files.
