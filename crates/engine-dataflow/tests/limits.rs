//! What ends an analysis is told, whenever it comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use everypath_engine_dataflow::{Bounds, Cut, Model, Options, inline, refine};
use everypath_flow::read;
use everypath_model::FileId;
use everypath_property::events::read_qre;

const TEXT: &str = "var up = false
proc raise() {
  local done
  synchronized fork {
    done = false
    while !done {
      if up { wait fork } else { up = true
        done = true
        event up }
    }
  }
}
proc lower() { synchronized fork { up = false
  notifyall fork
  event down } }
thread p1 { call raise()
  call lower() }
thread p2 { call raise()
  call lower() }
task main { start p1
  start p2 }
";

#[test]
fn a_search_for_constraints_that_is_ended_says_so() {
    let property = "for events { up, down } show all executions satisfy (up ; down)*";
    let required = read_qre(property).unwrap().property().unwrap().required();
    let graph = inline(&read(TEXT, FileId(0)).unwrap()).unwrap();
    let mut ended = 0;
    for patience in 0.. {
        let asked = AtomicU32::new(0);
        let stop = move || asked.fetch_add(1, Ordering::Relaxed) >= patience;
        let bounds = Bounds { bytes: None, stop: Some(Arc::new(stop)) };
        let options = Options::default();
        let model = Model::within(&graph, required.clone(), Vec::new(), None, options, bounds);
        let refined = refine(&model, &[], 1_000_000).unwrap();
        if refined.answer.conclusive() {
            break;
        }
        // It can be proved, so only what ended the search is a reason why it was not.
        assert_eq!(refined.answer.propagated.cut, Some(Cut::Stopped), "{patience}");
        ended += 1;
    }
    assert!(ended > 10, "{ended}");
}
