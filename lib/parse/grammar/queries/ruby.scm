; Ruby. What a class or module declares is visible unless "private" or "protected" stands above
; it or in front of it; what stands above says nothing of types, constants and methods of "self". Blocks are closures, so what is assigned in them is local, but for those
; that are the body of a class. Accessors are fields. Blocks of test frameworks are no symbols.
; Calls are what there is most of: patterns for them begin with what few of them have.

(comment) @comment

((call !receiver method: (identifier) @_require arguments: (argument_list . (simple_symbol)? . (string) @import))
  (#any-of? @_require "require" "require_relative" "load" "autoload" "gem"))

; Types

(module name: [(constant) @name (scope_resolution scope: (_)? @receiver name: (constant) @name)]
  body: (_)? @body) @definition.module
(module name: [(constant) @name (scope_resolution name: (constant) @name)] !body "end" @body)
(class name: [(constant) @name (scope_resolution scope: (_)? @receiver name: (constant) @name)]
  body: (_)? @body) @definition.class
(class name: [(constant) @name (scope_resolution name: (constant) @name)] !body "end" @body)
((class name: (constant) @name superclass: (superclass (_) @_super)) @test
  (#any-of? @_super "Minitest::Test" "MiniTest::Test" "Minitest::Spec" "Test::Unit::TestCase"
    "ActiveSupport::TestCase" "ActionDispatch::IntegrationTest"))

(singleton_class value: (self)) @scope
(singleton_class value: [(constant) (scope_resolution)] @receiver) @scope

((assignment
  left: [(constant) @name (scope_resolution scope: (_)? @receiver name: (constant) @name)]
  right: (call
    receiver: [(constant) @_class (scope_resolution !scope name: (constant) @_class)]
    method: (identifier) @_new
    block: (_)? @body)) @definition.class
  (#any-of? @_class "Class" "Struct" "Data")
  (#any-of? @_new "new" "define"))
((assignment
  left: (constant) @name
  right: (call receiver: (constant) @_module method: (identifier) @_new block: (_)? @body)) @definition.module
  (#eq? @_module "Module")
  (#eq? @_new "new"))
((call
  receiver: [(constant) @_class (scope_resolution !scope name: (constant) @_class)]
  method: (identifier) @_new
  block: (_) @open)
  (#any-of? @_class "Class" "Struct" "Data" "Module")
  (#any-of? @_new "new" "define"))

; Functions

(program (method name: (_) @name) @definition.function)
(method name: (_) @name body: (_)? @body) @definition.method
(method name: (_) @name !body "end" @body)
(singleton_method
  object: [(self) (identifier) (constant) @receiver (scope_resolution) @receiver]
  name: (_) @name
  body: (_)? @body) @definition.method
(singleton_method name: (_) @name !body "end" @body)
(alias name: (_) @name) @definition.method
((call !receiver
  method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])) @definition.method
  (#any-of? @_define "alias_method" "define_method" "define_singleton_method"))
((call !receiver
  method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])
  block: (_) @body)
  (#any-of? @_define "define_method" "define_singleton_method"))

; Words in front of a definition belong to it

(call !receiver arguments: (argument_list . [
  (method name: (_) @name)
  (singleton_method name: (_) @name)
  (call !receiver arguments: (argument_list . (method name: (_) @name)))])) @span
((call !receiver method: (identifier) @_sig !arguments block: (_)) @attribute
  (#eq? @_sig "sig"))

; Data

(block) @local
(do_block) @local

(assignment
  left: [(constant) @name (scope_resolution scope: (_)? @receiver name: (constant) @name)]
  right: (_) @value) @definition.constant
(operator_assignment left: (constant) @name operator: "||=" right: (_) @value) @definition.constant
(assignment left: (class_variable) @name right: (_) @value) @definition.field
(operator_assignment left: (class_variable) @name operator: "||=" right: (_) @value) @definition.field
(assignment left: (global_variable) @name right: (_) @value) @definition.variable
(operator_assignment left: (global_variable) @name operator: "||=" right: (_) @value) @definition.variable
((call !receiver method: (identifier) @_attr arguments: (argument_list [(simple_symbol) @name (string . (string_content) @name .)])) @definition.field
  (#any-of? @_attr "attr_reader" "attr_writer" "attr_accessor" "attr" "mattr_accessor" "mattr_reader" "mattr_writer"
    "cattr_accessor" "cattr_reader" "cattr_writer" "class_attribute" "thread_mattr_accessor"))

; Visibility

([
  (class body: (body_statement (identifier) @private.from))
  (module body: (body_statement (identifier) @private.from))
  (singleton_class body: (body_statement (identifier) @private.from))
 ] (#any-of? @private.from "private" "protected"))
([
  (class body: (body_statement (identifier) @public.from))
  (module body: (body_statement (identifier) @public.from))
  (singleton_class body: (body_statement (identifier) @public.from))
 ] (#any-of? @public.from "public" "module_function"))
((call !receiver method: (identifier) @private arguments: (argument_list . [
    (method name: (_) @name)
    (singleton_method name: (_) @name)
    (call !receiver arguments: (argument_list . (method name: (_) @name)))
    (call !receiver arguments: (argument_list (simple_symbol) @name))]))
  (#any-of? @private "private" "protected" "private_class_method"))
((call !receiver method: (identifier) @_private arguments: (argument_list (simple_symbol) @private.name))
  (#any-of? @_private "private" "protected" "private_constant" "private_class_method"))

[(class name: (_) @name)
  (module name: (_) @name)
  (singleton_method name: (_) @name)
  (assignment left: [(constant) @name (scope_resolution name: (constant) @name)])
  (operator_assignment left: (constant) @name)] @exported

; The heads of what a syntax error leaves without an end

(ERROR "class" @definition.class . (constant) @name @span)
(ERROR "module" @definition.module . (constant) @name @span)
(ERROR "def" @definition.method . (identifier) @name @span)

; References. A bare name may be a call, where it is no variable.

((call !receiver method: (identifier) @_require arguments: (argument_list . (simple_symbol)? . (string (string_content) @import.module)))
  (#any-of? @_require "require" "load" "autoload"))
((call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @import.module)))
  (#eq? @_require "require_relative")
  (#set! module "./"))

(superclass [(constant) (scope_resolution)] @reference.extends)
((call !receiver method: (identifier) @_include arguments: (argument_list [(constant) (scope_resolution)] @reference.embeds))
  (#any-of? @_include "include" "extend" "prepend"))
((call !receiver method: (identifier) @_method arguments: (argument_list . (simple_symbol) @reference.passes .))
  (#eq? @_method "method"))
(call receiver: (_) @reference.calls method: (_) @reference.calls)
(identifier) @reference.calls
(scope_resolution) @reference.uses
(constant) @reference.uses

(method body: (body_statement (_) @result.value .))
(method body: (body_statement (operator_assignment operator: "||=" right: (_) @result.value) .))
(return (argument_list . (_) @result.value .))

(method_parameters (identifier) @binding)
(lambda_parameters (identifier) @binding)
(block_parameters (identifier) @binding)
(destructured_parameter (identifier) @binding)
(optional_parameter name: (_) @binding value: (_) @binding.value)
(keyword_parameter name: (_) @binding value: (_)? @binding.value)
(splat_parameter name: (_) @binding)
(hash_splat_parameter name: (_) @binding)
(block_parameter name: (_) @binding)
(assignment left: (identifier) @binding right: (_) @binding.value)
(operator_assignment left: (identifier) @binding right: (_) @binding.value)
(left_assignment_list (identifier) @binding)
(exception_variable (identifier) @binding)
(for pattern: (identifier) @binding value: (in (_) @binding.element))
(assignment left: (instance_variable) @binding.member right: (_) @binding.value)
(operator_assignment left: (instance_variable) @binding.member operator: "||=" right: (_) @binding.value)
((call receiver: (_) @binding.element method: (identifier) @_each
    block: (_ parameters: (block_parameters . (identifier) @binding .)))
  (#any-of? @_each "each" "map" "flat_map" "select" "reject" "filter" "find" "detect" "any?" "all?" "none?" "sort_by" "group_by" "each_with_index"
    "filter_map" "find_all" "sum" "count" "min_by" "max_by" "partition" "reverse_each" "collect"))
