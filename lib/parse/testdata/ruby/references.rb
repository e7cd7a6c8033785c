require "foo/bar"
require_relative "version"
autoload :X, "x/y"
module Jekyll
  class Site < Base::Thing
    include Enumerable
    extend Forward, Other::Mix
    attr_reader :config, :source
    def initialize(config, opts = {}, key: Foo.new, *rest, &block)
      @config = config
      @pages = []
      @reader = Reader.new(self)
      self.source = expand(config["source"])
      reset
      setup(opts).run if block
      Jekyll.logger.info "x", config.name
      x = Regenerator.new
      x.go
      @pages.each do |page|
        page.render(site_payload)
        y = page.url
      end
      Jekyll::Hooks.trigger :site, :after_init, self
      rescue Errors::Fatal, StandardError => e
        e.message
    end
    def reader
      @reader2 ||= Reader.new(self)
    end
    def frob = reader.read(:a)
    def reset
      return self if foo?
      reader.read { |a, (b, c)| a.foo }
      pages.map(&:render)
      super
      Site.new
    end
    class << self
      def make; new(1); end
    end
  end
end
