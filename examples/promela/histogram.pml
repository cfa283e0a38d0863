/*
 * A histogram whose report reads one bin too many.
 *
 * Learn: `typedef` makes records, `inline` names a piece of text, `select` picks any number of a
 *     range, `for` counts through one and `d_step` makes several statements one step. The report
 *     counts to BINS, not BINS - 1, and reads past the end of the array.
 * Try: write the report loop as `for (i in bins)`, which knows the size; the model then holds.
 */
// expect: violated index
// states: 25607

#define BINS     3
#define WIDTH    2  /* values per bin */
#define SAMPLERS 2
#define SAMPLES  2  /* taken by each Sampler */

typedef Bin {
    byte lowest;  /* the smallest value of this bin */
    byte hits
};

Bin bins[BINS];
byte total;
byte finished;

inline record(value)
{
    d_step {
        bins[value / WIDTH].hits++;
        total++;
        assert(value >= bins[value / WIDTH].lowest)
    }
}

proctype Sampler()
{
    byte taken, value;

    for (taken : 1 .. SAMPLES) {
        select (value : 0 .. BINS * WIDTH - 1);
        record(value)
    }
    finished++
}

init
{
    byte i, sum;

    d_step {
        for (i : 0 .. BINS - 1) {
            bins[i].lowest = i * WIDTH
        }
    }
    atomic {
        for (i : 1 .. SAMPLERS) {
            run Sampler()
        }
    }

    finished == SAMPLERS;
    d_step {
        for (i : 0 .. BINS - 1) {
            sum = sum + bins[i].hits
        }
    }
    assert(sum == total);

    for (i : 0 .. BINS) {
        printf("bin %d: %d hits\n", i, bins[i].hits)
    }
}
