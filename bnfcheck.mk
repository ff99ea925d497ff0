# Lints the ABNF in the sources of Internet-Drafts, Markdown for kramdown-rfc and XML for xml2rfc. In the Makefile of a draft, after that
# of i-d-template where there is one:
#
#	include bnfcheck.mk
#
# "make abnf" lints all drafts in the folder, and "make check" does so too. One without a grammar passes. BNFCHECK_FLAGS are flags of
# bnfcheck lint, such as --baseline known.

BNFCHECK ?= bnfcheck
BNFCHECK_LEVEL ?= warning
BNFCHECK_FLAGS ?=

.PHONY: abnf check

# A name is never read by make or a shell: it is a word that a pattern gives, and it stands behind --. What is made of Markdown is no
# source. Whether a draft has a grammar is for the reader to see, since many do not say so in their markup.
abnf:
	@set --; for draft in draft-*.md draft-*.xml; do \
		if [ ! -f "$$draft" ]; then continue; fi; \
		case $$draft in *.xml) if [ -e "$${draft%.xml}.md" ]; then continue; fi;; esac; \
		set -- "$$@" "$$draft"; \
	done; \
	if [ $$# -gt 0 ]; then $(BNFCHECK) lint --skip-empty --level $(BNFCHECK_LEVEL) $(BNFCHECK_FLAGS) -- "$$@"; fi

check:: abnf
