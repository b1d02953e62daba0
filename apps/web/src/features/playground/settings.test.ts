import { describe, expect, it } from 'bun:test'
import {
  chooseGroup,
  chooseModel,
  chooseOthers,
  defaultSettings,
  groupChoices,
  type PlaygroundSettings,
  readSettings,
  targetsOf,
  withColumn,
  withoutColumn,
} from './settings.ts'

describe('kept settings', () => {
  it('come back as they were', () => {
    const retained = {
      ...defaultSettings,
      group: 'vip',
      model: 'gpt-4o',
      temperature: 0.7,
      system: '',
      stream: false,
    }
    expect(readSettings(JSON.stringify(retained))).toEqual(retained)
  })

  it('are the defaults where nothing readable was kept', () => {
    for (const text of [null, '', 'null', '{"model":', '[]', '7']) {
      expect(readSettings(text)).toEqual(defaultSettings)
    }
    expect(readSettings('{"temperature":7,"maxTokens":-1,"model":5,"stream":"no","system":"x"}')).toEqual({
      ...defaultSettings,
      system: 'x',
    })
  })
})

describe('the model', () => {
  it('is the one asked for while it can be reached', () => {
    expect(chooseModel('o1', ['gpt-4o-mini', 'o1'])).toBe('o1')
    expect(chooseModel('gone', ['claude', 'gpt-4o-mini'])).toBe('gpt-4o-mini')
    expect(chooseModel('', ['claude', 'gemini'])).toBe('claude')
  })

  it('stays as asked until it is known what can be reached', () => {
    expect(chooseModel('o1', [])).toBe('o1')
    expect(chooseModel('', [])).toBe('')
  })
})

describe('the models to compare with', () => {
  const models = ['gpt-4o', 'gpt-4o-mini', 'o1']

  it('are others, unless the same was asked for', () => {
    const chosen = (wanted: readonly string[], reachable = models) =>
      chooseOthers(
        wanted.map((model) => ({ model, group: '' })),
        'gpt-4o-mini',
        reachable,
        [],
      ).map(({ model }) => model)
    expect(chosen([''])).toEqual(['gpt-4o'])
    expect(chosen(['', ''])).toEqual(['gpt-4o', 'o1'])
    expect(chosen(['gpt-4o-mini'])).toEqual(['gpt-4o-mini'])
    expect(chosen(['', ''], ['o1'])).toEqual(['o1', 'o1'])
  })

  it('are asked only while they are compared, and at most three', () => {
    const other = { model: 'b', group: 'y' }
    const settings = { ...defaultSettings, model: 'a', group: 'x', others: [other] }
    expect(targetsOf(settings)).toEqual([{ column: 0, model: 'a', group: 'x' }])
    expect(targetsOf({ ...settings, compare: true })[1]).toEqual({ column: 1, ...other })
    let grown: PlaygroundSettings = settings
    for (let presses = 0; presses < 6; presses += 1) grown = { ...grown, ...withColumn(grown) }
    expect(targetsOf(grown).map(({ column }) => column)).toEqual([0, 1, 2, 3])
    expect(targetsOf({ ...grown, ...withoutColumn(grown, 1) }).map(({ model }) => model)).toEqual([
      'a',
      '',
      '',
    ])
    expect(withoutColumn(settings, 1)).toEqual({ compare: false })
  })
})

describe('the group', () => {
  const choices = groupChoices(
    { default: { ratio: 1, desc: 'for all' }, vip: { ratio: 0.8, desc: 'yours' } },
    'vip',
  )

  it('list starts with the person’s own', () => {
    expect(choices.map(({ name, ratio }) => [name, ratio])).toEqual([
      ['vip', 0.8],
      ['default', 1],
    ])
  })

  it('is the own one unless another that is open was chosen', () => {
    expect(chooseGroup('default', choices)).toBe('default')
    expect(chooseGroup('closed', choices)).toBe('vip')
    expect(chooseGroup('', [])).toBe('')
  })
})
