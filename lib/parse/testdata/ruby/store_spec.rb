require "spec_helper"

RSpec.describe Shop::Store do
  LOCAL = 1
  let(:store) { described_class.new("x") }

  # Fixtures.
  def fixture(name)
    File.read(name)
  end

  describe "#sell" do
    context "when it is empty" do
      it "raises" do
        result = store.sell(1)
        expect(result).to be_nil
      end
    end
  end
end

class StoreTest < Minitest::Test
  def setup
    @store = Shop::Store.new("x")
  end

  def test_sells
    assert @store.sell(1)
  end

  test "waits" do
    assert true
  end
end
