# include examples/ci/models.mk: a stamp for each model that was checked, so that `make` checks only
# what has changed.
MODELS := $(wildcard models/*.pml)

.PHONY: check-models
check-models: $(MODELS:%.pml=%.checked)

%.checked: %.pml
	everypath check --quiet --no-save $<
	touch $@
