import { describe, expect, it } from 'bun:test'
import { providerTable } from '../table.ts'
import { ownProfiles, profiles } from './profiles.ts'
import type { Effort, ProfileEntry, ReasoningRules } from './target-profile.ts'

const columns = [
  ...['fields', 'responses', 'reasoning', 'sampling', 'history', 'limits', 'schema', 'betas', 'ids'],
] as const

/** Every column of an entry, those of its families and of its other modes included, with a name for messages. */
function columnsOf(id: string, entry: ProfileEntry): readonly (readonly [name: string, column: unknown])[] {
  const modes = Object.entries(entry.modes ?? {}).map(([mode, rules]) => [`${id} ${mode}`, rules] as const)
  if ('chat' in entry) return modes
  const { families = [], modes: _modes, effortSuffix: _suffix, ...own } = entry
  const named = (where: string, object: object) =>
    Object.entries(object).map(([name, column]) => [`${where} ${name}`, column] as const)
  const inner = families.flatMap(({ models, except: _except, ...family }) =>
    named(`${id} ${models.join(' ')}`, family),
  )
  return [...named(id, own), ...inner, ...modes]
}

function isFact(column: unknown): boolean {
  if (column === 'unknown' || column === 'none') return true
  const { value, source, date } = column as { value: unknown; source: string; date: string } // Read from typed data.
  return (
    value !== undefined &&
    source.startsWith('https://') &&
    !Number.isNaN(Date.parse(date)) &&
    date.length === 10
  )
}

const order: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'default']

/** Checks that there are efforts where they are the switch, and none where there is nothing to switch. */
function fitsSwitch({ switch: form, efforts }: ReasoningRules): boolean {
  if (form === 'always' || form === 'never' || form === 'budget') return efforts.length === 0
  return form !== 'effort' || efforts.length > 0
}

describe('The profiles', () => {
  it('are said once: by the row, or beside it', () => {
    const twice = providerTable.filter(
      ({ id, profile }) => profile !== undefined && Object.hasOwn(ownProfiles, id),
    )
    expect(twice.map(({ id }) => id)).toEqual([])
  })

  it('have an entry for every provider of the table, and for no other', () => {
    const ids = new Set(providerTable.map(({ id }) => id))
    expect(Object.keys(profiles).toSorted()).toEqual([...ids].toSorted())
  })

  it('fill every column of a provider with chat, or mark it as unknown', () => {
    for (const [id, entry] of Object.entries(profiles)) {
      if ('chat' in entry) continue
      expect([id, columns.filter((column) => entry[column as keyof typeof entry] === undefined)]).toEqual([
        id,
        [],
      ])
    }
  })

  it('say where and when each fact was read', () => {
    const all = Object.entries(profiles).flatMap(([id, entry]) => columnsOf(id, entry))
    expect(all.length).toBeGreaterThan(600)
    expect(all.filter(([, column]) => !isFact(column)).map(([name]) => name)).toEqual([])
  })

  it('have no family without names or without columns', () => {
    for (const [id, entry] of Object.entries(profiles)) {
      if ('chat' in entry) continue
      for (const { models, except: _except, ...family } of entry.families ?? []) {
        expect([id, models.length > 0, Object.keys(family).length > 0]).toEqual([id, true, true])
      }
    }
  })

  it('list efforts from the lowest to the highest, and none where the request cannot say one', () => {
    const all = Object.entries(profiles).flatMap(([id, entry]) => columnsOf(id, entry))
    for (const [name, column] of all) {
      if (!name.endsWith(' reasoning') || typeof column === 'string') continue
      const { value } = column as { value: ReasoningRules } // Read from typed data.
      expect([name, value.efforts]).toEqual([name, order.filter((effort) => value.efforts.includes(effort))])
      expect([name, fitsSwitch(value)]).toEqual([name, true])
    }
  })
})
