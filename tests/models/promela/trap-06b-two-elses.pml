// oracle: trap 6
// what: two elses in one flattened selection are refused
// verdict: error
byte x;
active proctype P()
{
	if
	:: if
	   :: x == 1
	   :: else
	   fi
	:: else
	fi
}
