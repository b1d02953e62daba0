import { describe, expect, it } from 'bun:test'
import {
  chooseGroup,
  chooseModel,
  chooseOtherModel,
  defaultSettings,
  groupChoices,
  readSettings,
  targetsOf,
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

describe('the model to compare with', () => {
  it('is another one unless the same was asked for', () => {
    expect(chooseOtherModel('', ['gpt-4o', 'gpt-4o-mini', 'o1'], 'gpt-4o-mini')).toBe('gpt-4o')
    expect(chooseOtherModel('o1', ['gpt-4o', 'o1'], 'o1')).toBe('o1')
    expect(chooseOtherModel('', ['o1'], 'o1')).toBe('o1')
  })

  it('is asked only while two are compared', () => {
    const settings = { ...defaultSettings, model: 'a', group: 'x', otherModel: 'b', otherGroup: 'y' }
    expect(targetsOf(settings)).toEqual([{ column: 0, model: 'a', group: 'x' }])
    expect(targetsOf({ ...settings, compare: true })[1]).toEqual({ column: 1, model: 'b', group: 'y' })
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
