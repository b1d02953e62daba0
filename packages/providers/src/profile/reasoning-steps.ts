import { isObject, type JsonObject, listOf, objectOf } from '@tollgate/formats'
import type { Draft, Step } from './draft.ts'
import { type EffortMember, effortMemberOf, inChat, inOutputConfig, inResponses } from './effort-places.ts'
import { effortInName, isEffort, nearestEffort } from './efforts.ts'
import { geminiThinkingStep } from './gemini-thinking.ts'
import { clampEffort, messagesThinkingStep } from './messages-thinking.ts'
import { type SwitchForm, switchForms } from './reasoning-switches.ts'
import type { Effort, ReasoningRules, SamplingRules } from './target-profile.ts'

/** Fits how the body asks for reasoning to the model; none for a format that says it otherwise. */
export function reasoningStep(
  rules: ReasoningRules,
  format: string,
  model: string,
  effortSuffix: boolean,
): Step | undefined {
  if (format === 'gemini') return geminiThinkingStep(rules)
  const member = effortMemberOf(format)
  if (member === undefined) return undefined
  if (member === inOutputConfig) return ownFormStep(rules)
  const form = switchFormOf(rules, member)
  const named = effortSuffix && rules.switch === 'effort' ? effortInName(model) : undefined
  return (draft) => {
    draft.thinks = rules.unasked === 'thinks'
    if (named !== undefined) takeNamed(draft, named, member)
    fitReasoning(draft, rules, member, form)
    if (rules.switch === 'never' && member === inResponses) withoutReasoning(draft)
  }
}

/**
 * Returns the form of a switch. Those of Chat Completions are Chat's: a Responses API has the effort, and Ark's own `thinking`.
 */
function switchFormOf({ switch: by }: ReasoningRules, member: EffortMember): SwitchForm | undefined {
  return member === inChat || by === 'thinking-type' ? switchForms[by] : undefined
}

/**
 * Returns the members of a body that control thinking and may contradict each other: of the body itself, or of an object in it.
 */
export function reasoningPaths(rules: ReasoningRules, format: string): readonly string[] {
  const member = effortMemberOf(format)
  if (member === undefined) return []
  const form = member === inOutputConfig ? switchForms['thinking-type'] : switchFormOf(rules, member)
  return [...new Set([member.field, ...(form?.own ?? [])])]
}

function fitReasoning(
  draft: Draft,
  rules: ReasoningRules,
  member: EffortMember,
  form: SwitchForm | undefined,
): void {
  const wanted = member.read(draft)
  if (form !== undefined && saysItself(draft, form)) keepOwn(draft, form, member)
  else if (rules.streamsOnly === true && draft.get('stream') !== true) {
    if (wanted !== undefined && wanted !== 'none') draft.lose(member.field)
    switchOff(draft, rules, member, form)
  } else if (wanted === 'none') switchOff(draft, rules, member, form)
  else if (wanted === 'default') leaveToModel(draft, rules, member, form)
  else if (isEffort(wanted)) switchOn(draft, wanted, rules, member, form)
  else if (wanted !== undefined) draft.thinks = true
}

/** Anthropic's format: of other vendors in it nobody says which types they take, and the effort alone is fitted. */
function ownFormStep(rules: ReasoningRules): Step | undefined {
  const { efforts, types } = rules
  if (types !== undefined) return messagesThinkingStep({ ...rules, types })
  return efforts.length === 0 ? undefined : (draft) => clampEffort(draft, efforts)
}

/**
 * Returns the steps for the effort that an encoder wrote for any model. A target with an unknown switch gets none: its model decides by
 * itself, without a member for it.
 */
export function translatedReasoningSteps(rules: ReasoningRules | undefined, format: string): readonly Step[] {
  const member = effortMemberOf(format)
  if (member !== inChat && member !== inResponses) return []
  if (rules !== undefined) return rules.switch === 'never' && member === inResponses ? [withoutEncrypted] : []
  return [(draft) => (member.read(draft) === 'default' ? member.write(draft, undefined) : undefined)]
}

/** Models without reasoning refuse to show any. */
function withoutReasoning(draft: Draft): void {
  const asks = Object.values(objectOf(draft.get('reasoning'))).some((value) => value !== null)
  if (asks) draft.remove('reasoning')
}

/** The encoder of Responses asks for encrypted reasoning, which models without any refuse to return. */
function withoutEncrypted(draft: Draft): void {
  const include = listOf(draft.get('include'))
  const others = include.filter((item) => item !== 'reasoning.encrypted_content')
  if (others.length === include.length) return
  if (others.length === 0) draft.remove('include')
  else draft.set('include', others)
}

/** Moves the effort from the model's name, where operators write it, into the field that vendors have for it. */
function takeNamed(
  draft: Draft,
  named: NonNullable<ReturnType<typeof effortInName>>,
  member: EffortMember,
): void {
  draft.set('model', named.model)
  if (member.read(draft) === undefined) member.write(draft, named.effort)
}

/** Finds the vendor's own switch among the members that the caller wrote. */
function saysItself(draft: Draft, { own }: SwitchForm): boolean {
  return own.some((path) => {
    const [field = '', member] = path.split('.')
    const value = draft.get(field)
    return member === undefined ? value !== undefined : objectOf(value)[member] != null
  })
}

/** Leaves the caller's own switch; an effort that is a part of it stands nowhere else. */
function keepOwn(draft: Draft, { holdsEffort }: SwitchForm, member: EffortMember): void {
  draft.thinks = true
  if (holdsEffort === true) member.write(draft, undefined)
}

function switchOff(
  draft: Draft,
  rules: ReasoningRules,
  member: EffortMember,
  form: SwitchForm | undefined,
): void {
  draft.thinks = false
  if (form !== undefined) {
    member.write(draft, undefined)
    merge(draft, form.off)
    return
  }
  if (rules.efforts.includes('none')) return
  if (rules.switch === 'never') {
    member.write(draft, undefined)
    return
  }
  // It cannot be switched off: it thinks as little as it can.
  draft.thinks = true
  member.write(draft, rules.efforts[0])
  draft.lose(member.field)
}

/** Lets the model decide how hard to think: by the switch, or by an effort where it does not think by default. */
function leaveToModel(
  draft: Draft,
  rules: ReasoningRules,
  member: EffortMember,
  form: SwitchForm | undefined,
): void {
  draft.thinks = rules.switch !== 'never'
  if (rules.efforts.includes('default')) return
  if (form !== undefined) merge(draft, form.on(undefined))
  const isStated = form !== undefined || rules.unasked === 'thinks'
  member.write(draft, isStated ? undefined : nearestEffort('medium', rules.efforts))
}

function switchOn(
  draft: Draft,
  wanted: Effort,
  rules: ReasoningRules,
  member: EffortMember,
  form: SwitchForm | undefined,
): void {
  draft.thinks = rules.switch !== 'never'
  const nearest = nearestEffort(wanted, rules.efforts)
  if (form !== undefined) merge(draft, form.on(nearest))
  const beside = form?.holdsEffort === true ? undefined : nearest
  if (beside !== wanted) member.write(draft, beside)
  if (nearest === undefined) draft.lose(member.field)
}

/** Members that are objects keep what else the caller wrote in them. */
function merge(draft: Draft, members: JsonObject): void {
  for (const [name, value] of Object.entries(members))
    draft.set(name, isObject(value) ? { ...objectOf(draft.get(name)), ...value } : value)
}

/** Leaves out the sampling parameters that the model refuses, unless they have the values that it works with anyway. */
export function samplingStep({ refuses, when, accepts = {}, notBoth }: SamplingRules): Step {
  return (draft) => {
    if (when === 'always' || draft.thinks)
      for (const name of refuses) {
        const value = draft.get(name)
        if (value !== undefined && !isAccepted(value, accepts[name])) draft.drop(name)
      }
    if (notBoth !== undefined && draft.get(notBoth[0]) !== undefined) draft.drop(notBoth[1])
  }
}

type Accepted = NonNullable<SamplingRules['accepts']>[string]

/** Long decimals are no plain numbers here: none of them is a value that models work with. */
function isAccepted(value: unknown, accepted: Accepted | undefined): boolean {
  if (accepted === undefined || typeof accepted === 'number') return value === accepted
  return typeof value === 'number' && value >= accepted[0] && value <= accepted[1]
}
