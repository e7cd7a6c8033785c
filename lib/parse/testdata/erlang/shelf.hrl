%% Records that several modules share.
-record(rack, {shelves = [], wide = false}).
-define(WIDTH, 80).
