int sixth(void) { return 6; }

/* Nothing is in a new queue. */
TEST(Queue, IsEmpty) { sixth(); }

Test(queue, grows) {
    fifth();
}
