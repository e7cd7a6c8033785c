#!/usr/bin/env ruby
# frozen_string_literal: true

# The licence of the file.

require 'json'
require_relative "store/item"
autoload :Lazy, 'store/lazy'
load "tasks.rb" if ENV["TASKS"]

$registry = {}
local_at_top = 1

# What a shop holds.
#
# @example
#   Shop::Store.new
module Shop
  # The version.
  VERSION = '1.0'
  LIMITS = { small: 1, large: 20 }.freeze # by size
  CODES = %w[a b].freeze
  private_constant :CODES
  Shop::OTHER = 2

  Error = Class.new(StandardError)

  # A place on a shelf.
  Place = Struct.new(:row, :column) do
    FIRST = 0

    # Where it is.
    def to_s
      "#{row}/#{column}"
    end
  end
  Size = Data.define(:width, :height)
  Mixin = Module.new do
    def mixed; end
  end

  # A store.
  class Store < Base::Thing
    include Enumerable

    @@count = 0
    CACHE ||= {}

    # What it is called.
    attr_reader :name, :size
    attr_accessor 'label'
    attr_writer :secret

    class << self
      # Makes one.
      def build(*args, **opts, &block)
        new(*args)
      end

      attr_accessor :default

      private

      def hidden_builder; end
    end

    def self.open(path) = new(path)

    def Store.close; end

    # Makes a store.
    def initialize(name, size = 10, color: :red)
      @name = name
      inner = ->(x) { x }
      counts.each { |c| total = c }
    end

    def ==(other)
      other.name == name
    end

    def [](index) = items[index]

    def size=(value)
      @size = value
    end

    def empty?; end

    alias blank? empty?
    alias_method :vacant?, :empty?

    # Sells.
    define_method(:sell) do |item|
      def nested_helper
      end
      price = item.price
    end

    sig { params(n: Integer).returns(String) }
    def typed(n)
      <<~TEXT
        def not_here
        end
      TEXT
    end

    def old_helper; end
    private :old_helper

    # Visible in the family.
    protected def kin; end

    private attr_reader :lock

    memoize def slow
      1
    end

    private

    # Nobody sees it.
    def secret
    end

    def self.odd; end
    SHOWN = 1
    class Drawer; end
    private_class_method def self.even; end
    attr_reader :depth

    public

    def shown
    end

    protected

    def shared; end

    class Inner::Deep
      def deep; end
    end
  end

  class ::Outside < Struct.new(:a)
  end

  module_function

  def helper(x)
    return x unless block_given?
  end

  refine String do
    def shout = upcase
  end
end

=begin
A function of the script.
=end
def main
  Shop::Store.new
end

main if $PROGRAM_NAME == __FILE__

__END__
def data; end
