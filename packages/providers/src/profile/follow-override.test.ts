import { describe, expect, it } from 'bun:test'
import { isObject, type JsonObject, objectOf, scanTopLevel, spliceMembers } from '@tollgate/formats'
import { targets } from '../test-support/targets.ts'
import { adapt, compilePlan } from './adapt.ts'
import { followOverride } from './follow-override.ts'
import { switchForms } from './reasoning-switches.ts'
import type { ResolvedProfile } from './resolve-profile.ts'

const messages = [{ role: 'user', content: 'hi' }]

/** A caller's body, fitted, then with the operator's members laid over it. */
function sent(profile: ResolvedProfile, stated: JsonObject, override: JsonObject): JsonObject {
  const body = { model: 'm', messages, ...stated }
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 64)
  const plan = compilePlan(profile, { format: 'openai-chat', model: 'm', vendor: 'Parley' })
  if (!scan.ok || plan === undefined) throw new Error('no plan')
  const request = { text, scan, body }
  const { edits } = adapt(plan, request, new Map(), false)
  const laid = new Map(edits)
  for (const [name, value] of Object.entries(override)) laid.set(name, JSON.stringify(value))
  const {
    model: _,
    messages: __,
    ...rest
  } = JSON.parse(spliceMembers(text, scan, followOverride(plan, request, edits, laid)))
  return rest
}

const profile = {
  reasoning: { switch: 'enable-thinking', efforts: ['high', 'max'], unasked: 'thinks' },
} as const
const off = { enable_thinking: false }

describe('the operator’s word about thinking', () => {
  it('decides over the caller’s, and the vendor’s switch follows it', () => {
    expect(sent(profile, { reasoning_effort: 'none' }, { reasoning_effort: 'high' })).toEqual({
      enable_thinking: true,
      reasoning_effort: 'high',
    })
    expect(sent(profile, { reasoning_effort: 'high' }, { reasoning_effort: 'none' })).toEqual({
      ...off,
      reasoning_effort: 'none',
    })
    expect(sent(profile, off, { reasoning_effort: 'max' })).toEqual({
      enable_thinking: true,
      reasoning_effort: 'max',
    })
    expect(sent(profile, { reasoning_effort: 'max' }, off)).toEqual(off)
  })

  it('changes nothing where it says nothing of it', () => {
    const stated = { reasoning_effort: 'high' }
    expect(sent(profile, stated, { temperature: 1 })).toEqual({
      ...stated,
      enable_thinking: true,
      temperature: 1,
    })
  })

  it('contradicts itself at no target, whatever the caller says', () => {
    expect(cases.length).toBeGreaterThan(200)
    for (const { name, known, off: switchedOff, caller, effort } of cases) {
      const body = sent(known, caller, { reasoning_effort: effort })
      const isOff = isWithin(switchedOff, body)
      expect([name, caller, body.reasoning_effort, isOff]).toEqual([name, caller, effort, effort === 'none'])
    }
  })
})

/** Every target with a switch of its own, what a caller may say there, and what the operator says. */
const cases = targets.flatMap(({ name, profile: known }) => {
  const form = known.reasoning && switchForms[known.reasoning.switch]
  const isSwitched = form !== undefined && Object.keys(form.off).length > 0
  if (!isSwitched || known.reasoning?.streamsOnly === true) return []
  const callers = [{ reasoning_effort: 'none' }, { reasoning_effort: 'high' }, form.off, form.on('high')]
  return callers.flatMap((caller) =>
    (['none', 'high'] as const).map((effort) => ({ name, known, off: form.off, caller, effort })),
  )
})

function isWithin(inner: JsonObject, outer: JsonObject): boolean {
  return Object.entries(inner).every(([name, value]) =>
    isObject(value) ? isWithin(value, objectOf(outer[name])) : outer[name] === value,
  )
}
