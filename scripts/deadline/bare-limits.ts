import {
  type CallExpression,
  type Expression,
  type ObjectExpression,
  type Program,
  parseSync,
  Visitor,
} from 'oxc-parser'

/** A limit of a test that holds the same number of milliseconds on every machine. */
export interface BareLimit {
  readonly start: number
  readonly end: number
  readonly line: number
}

/** Functions of the test runner whose last argument limits them. */
const limited = new Set(['it', 'test', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'])
/** Functions of the test runner, of signals and of a browser that take a limit alone. */
const limiting =
  /^(setDefaultTimeout|setDefaultNavigationTimeout|AbortSignal\.timeout)$|\.setDefault(Navigation)?Timeout$/

/** The limits in a file of tests that are written as numbers instead of `deadline(ms)`. */
export function bareLimits(path: string, source: string): readonly BareLimit[] {
  const found: BareLimit[] = []
  const { program } = parseSync(path, source)
  const isNumber = numbersOf(program)
  const add = ({ start, end }: Expression) =>
    void found.push({ start, end, line: source.slice(0, start).split('\n').length })
  const visitor = new Visitor({ CallExpression: (call) => limitsOf(call, source, isNumber).forEach(add) })
  visitor.visit(program)
  return found
}

/** The number that limits a call, as its last argument or as `timeout` of the object that is its last argument. */
function limitsOf(call: CallExpression, source: string, isNumber: IsNumber): readonly Expression[] {
  const name = textOf(call.callee, source)
  const last = call.arguments.at(-1)
  if (last === undefined || last.type === 'SpreadElement') return []
  if (isNumber(last))
    return limiting.test(name) || isLimited(call, name) || endsProcess(call, source) ? [last] : []
  const takesTimeout = limited.has(rootOf(name)) || /\.waitFor\w*$/.test(name)
  return takesTimeout && last.type === 'ObjectExpression' ? timeoutsIn(last, source, isNumber) : []
}

function timeoutsIn(
  { properties }: ObjectExpression,
  source: string,
  isNumber: IsNumber,
): readonly Expression[] {
  return properties.flatMap((property) =>
    property.type === 'Property' && textOf(property.key, source) === 'timeout' && isNumber(property.value)
      ? [property.value]
      : [],
  )
}

/** `it('…', work, 5000)`, and `it.each(rows)('…', work, 5000)` whose callee is a call itself; `beforeAll(work, 5000)`. */
function isLimited({ arguments: provided }: CallExpression, name: string): boolean {
  return limited.has(rootOf(name)) && provided.length > 1 && provided.at(-2)?.type !== 'Literal'
}

/** `setTimeout(() => child.kill(), 5000)`: a process that takes longer has failed. */
function endsProcess({ callee, arguments: [action] }: CallExpression, source: string): boolean {
  return (
    textOf(callee, source) === 'setTimeout' && action !== undefined && /\.kill\(/.test(textOf(action, source))
  )
}

const rootOf = (name: string) => /^\w+/.exec(name)?.[0] ?? ''

function textOf({ start, end }: { readonly start: number; readonly end: number }, source: string): string {
  return source.slice(start, end)
}

type IsNumber = (node: Expression) => boolean

/** Returns what recognises a number in a program: itself, by the name of a constant, or as a product of such. */
function numbersOf(program: Program): IsNumber {
  const names = new Set<string>()
  const isNumber = (node: Expression): boolean => {
    if (node.type === 'Identifier') return names.has(node.name)
    if (node.type === 'BinaryExpression' && node.left.type !== 'PrivateIdentifier')
      return isNumber(node.left) && isNumber(node.right)
    return node.type === 'Literal' && typeof node.value === 'number'
  }
  new Visitor({
    VariableDeclaration({ kind, declarations }) {
      for (const { id, init } of kind === 'const' ? declarations : [])
        if (id.type === 'Identifier' && init !== null && isNumber(init)) names.add(id.name)
    },
  }).visit(program)
  return isNumber
}
