import type { JsonPath, NestedEdit } from '../../json/nested-edits.ts'
import { isObject, type JsonObject, listOf, textOf } from '../../json/value.ts'
import { unsupportedByProvider } from '../../requests/fields.ts'
import { isEffortAlone } from './inspect.ts'

/** The objects of a request whose form the API defines. What tools are called with and their schemas are the caller's own. */
export type MessagesPart =
  | 'body'
  | 'message'
  | 'block'
  | 'source'
  | 'tool'
  | 'cache_control'
  | 'output_config'
  | 'thinking'
  | 'context_management'
  | 'edit'

/** The members of each part that hold other parts, one or a list of them. */
const inside: Readonly<Record<MessagesPart, Readonly<Record<string, MessagesPart>>>> = {
  body: {
    system: 'block',
    messages: 'message',
    tools: 'tool',
    cache_control: 'cache_control',
    output_config: 'output_config',
    thinking: 'thinking',
    context_management: 'context_management',
  },
  message: { content: 'block', output_config: 'output_config' },
  block: { content: 'block', source: 'source', cache_control: 'cache_control' },
  source: { content: 'block' },
  tool: { cache_control: 'cache_control' },
  context_management: { edits: 'edit' },
  cache_control: {},
  output_config: {},
  thinking: {},
  edit: {},
}

/** A host's treatment of a member, or of an object of a type. */
export interface HostRule {
  /** It takes it in calls that send one of these betas, named without their dates; in no call when empty. */
  readonly betas: readonly string[]
  /** Loss of a call without it: little, so that it is left out, or what it asks for, so that it is refused. */
  readonly loss: 'drop' | 'refuse'
  /** The beta that brought it, or the feature, for messages; empty for what says nothing. */
  readonly feature: string
  /** The rule is for such values alone. */
  readonly applies?: (value: unknown, holder: JsonObject) => boolean
  /** JSON text that takes its place. */
  readonly instead?: string
}

interface PartRules {
  readonly members: ReadonlyMap<string, HostRule>
  /** Rules by the type without its date; a server tool's call is `server_tool_use:` and the tool's name. */
  readonly types: ReadonlyMap<string, HostRule>
}

export type KnownMembers = Readonly<Partial<Record<MessagesPart, ReadonlySet<string>>>>

/** Rules about what a host of Claude takes of a request, as `compileHostRules` makes it. */
export interface HostRules {
  /** Name of the host as callers know it. */
  readonly name: string
  readonly parts: Readonly<Partial<Record<MessagesPart, PartRules>>>
  /** The only members of a part; a part without a list may have others. Of tools it holds for the caller's own. */
  readonly known: KnownMembers
}

/** A rule with its place: the member or the type of a part. */
export type PlacedRule = HostRule & {
  readonly part: MessagesPart
} & ({ readonly member: string } | { readonly type: string })

/** Rules by their places, so that a walk over a request looks each member up once. */
export function compileHostRules(
  name: string,
  rules: readonly PlacedRule[],
  known: KnownMembers = {},
): HostRules {
  const parts: Partial<
    Record<MessagesPart, { members: Map<string, HostRule>; types: Map<string, HostRule> }>
  > = {}
  for (const rule of rules) {
    parts[rule.part] ??= { members: new Map(), types: new Map() }
    if ('member' in rule) parts[rule.part]?.members.set(rule.member, rule)
    else parts[rule.part]?.types.set(rule.type, rule)
  }
  return { name, parts, known }
}

/** A request as a host takes it. */
export interface HostFit {
  readonly edits: readonly NestedEdit[]
  /** Names of what was left out, for a warning to the caller. */
  readonly dropped: readonly string[]
}

const fits: HostFit = { edits: [], dropped: [] }

/**
 * Edits of a body for a host, and the members that it loses: what the host does not take is found in instructions, tools, messages and
 * results of tools. Looks at the objects that the API defines and at nothing inside of texts, inputs and schemas, so a long request
 * costs no more than its blocks.
 * @param isSent whether the call sends a beta, named without its date
 * @throws RequestFault for what changes the response and is not taken
 */
export function fitToHost(body: JsonObject, rules: HostRules, isSent: (beta: string) => boolean): HostFit {
  const fitting = new Fitting(rules, isSent)
  fitting.object(body, 'body')
  return fitting.edits.length === 0 ? fits : { edits: fitting.edits, dropped: [...fitting.dropped] }
}

class Fitting {
  readonly edits: NestedEdit[] = []
  readonly dropped = new Set<string>()
  readonly #rules: HostRules
  readonly #isSent: (beta: string) => boolean
  readonly #path: (string | number)[] = []

  constructor(rules: HostRules, isSent: (beta: string) => boolean) {
    this.#rules = rules
    this.#isSent = isSent
  }

  object(value: JsonObject, part: MessagesPart): void {
    const rules = this.#rules.parts[part]
    const type = rules?.types.size ? typeOf(value) : ''
    const ofType = rules?.types.get(type)
    if (ofType !== undefined && this.#isBroken(ofType, value, value)) this.#lose(ofType, type)
    else for (const key in value) this.#member(value, key, part, rules)
  }

  #member(holder: JsonObject, key: string, part: MessagesPart, rules: PartRules | undefined): void {
    const value = holder[key]
    const rule = rules?.members.get(key) ?? this.#unknownMember(key, part, holder)
    const within = inside[part][key]
    if (rule === undefined && within === undefined) return
    this.#path.push(key)
    if (rule !== undefined && this.#isBroken(rule, value, holder))
      this.#lose(saysNothing(value) ? idle : rule)
    else if (within !== undefined) this.#within(value, within)
    this.#path.pop()
  }

  #within(value: unknown, part: MessagesPart): void {
    // An object that loses all of its members goes with them.
    if (isObject(value)) this.#goesAfter(Object.keys(value).length, value, part)
    const items = listOf(value)
    for (let position = 0; position < items.length; position++) {
      const item = items[position]
      if (!isObject(item)) continue
      this.#path.push(position)
      // What stays of a message that says nothing would be an empty turn, which is refused.
      if (part === 'message' && isEffortAlone(item)) this.#goesAfter(1, item, part)
      else this.object(item, part)
      this.#path.pop()
    }
  }

  /** Takes an object out when it loses so many members, and edits it when it loses less. */
  #goesAfter(losses: number, value: JsonObject, part: MessagesPart): void {
    const before = this.edits.length
    this.object(value, part)
    if (this.edits.length - before < Math.max(losses, 1)) return
    this.edits.length = before
    this.edits.push({ path: [...this.#path], text: undefined })
  }

  #unknownMember(key: string, part: MessagesPart, holder: JsonObject): HostRule | undefined {
    if (this.#rules.known[part]?.has(key) !== false) return undefined
    return part === 'tool' && !isOwnTool(holder) ? undefined : unknownMember
  }

  #isBroken(rule: HostRule, value: unknown, holder: JsonObject): boolean {
    return rule.applies?.(value, holder) !== false && !rule.betas.some(this.#isSent)
  }

  /** @param type of an object that is lost as a whole */
  #lose({ loss, feature, instead, betas }: HostRule, type?: string): void {
    if (loss === 'refuse') {
      const serves = betas.length === 0 ? 'does not serve' : 'serves only with its beta'
      throw unsupportedByProvider(paramOf(this.#path), `${this.#rules.name} ${serves} ${feature}`)
    }
    this.edits.push({ path: [...this.#path], text: instead })
    if (feature !== '') this.dropped.add(droppedName(this.#path, type ?? feature))
  }
}

/** Left out without a word, as it says nothing. */
const idle: HostRule = { betas: [], loss: 'drop', feature: '' }
const unknownMember: HostRule = { betas: [], loss: 'drop', feature: 'member' }

/** A tool without a type, or of type `custom`; members of the others are the API's own. */
function isOwnTool({ type }: JsonObject): boolean {
  return type === undefined || type === null || type === 'custom'
}

/** SDKs send null for what their caller left out, and lists of nothing. */
function saysNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

const dated = /_\d{8}$/

/** `web_search_20250305` is a `web_search`. */
function typeOf({ type, name }: JsonObject): string {
  const written = textOf(type)
  if (written === 'server_tool_use') return `${written}:${textOf(name)}`
  return dated.test(written) ? written.slice(0, -'_20250305'.length) : written
}

function paramOf(path: JsonPath): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('')
}

/** Returns the path without its indexes in lists: twenty tools lose the same. */
function droppedName(path: JsonPath, detail: string): string {
  const position = path.filter((step) => typeof step === 'string').join('.')
  return detail === unknownMember.feature ? position : `${position} (${detail})`
}
