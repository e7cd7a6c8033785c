class Before
  def works
    1
  end

  def fails(
    x = = 1
  end

  def after; end
end

# Still here.
def later
end

class Unclosed
  def last
    if true
  end
