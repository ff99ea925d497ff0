# Lints the ABNF in the sources of Internet-Drafts, Markdown for kramdown-rfc and XML for xml2rfc. In the Makefile of a draft, after that
# of i-d-template where there is one:
#
#	include bnfcheck.mk
#
# "make abnf" lints all drafts in the folder that have ABNF, and "make check" does so too. BNFCHECK_FLAGS are flags of bnfcheck lint, such
# as --baseline known.

BNFCHECK ?= bnfcheck
BNFCHECK_LEVEL ?= warning
BNFCHECK_FLAGS ?=

# What is made of Markdown is no source.
bnfcheck_drafts = $(shell grep -liE '^(~~~|```)+ *[{:.]*abnf|^\{:.*\.abnf|type=.?abnf' /dev/null \
	$(wildcard draft-*.md) $(filter-out $(patsubst %.md,%.xml,$(wildcard draft-*.md)),$(wildcard draft-*.xml)))

.PHONY: abnf check
abnf:
	$(if $(bnfcheck_drafts),$(BNFCHECK) lint --level $(BNFCHECK_LEVEL) $(BNFCHECK_FLAGS) $(bnfcheck_drafts))

check:: abnf
