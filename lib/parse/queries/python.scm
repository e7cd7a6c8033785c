; pending
