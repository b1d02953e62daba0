import { describe, expect, it } from 'bun:test'
import { fitting, groupsByRank, merged, rankOf } from './rank.ts'

const entry = (title: string, ...keywords: string[]) => ({ title, keywords })

describe('rankOf', () => {
  it('prefers exact to prefix to words to inside to subsequence', () => {
    const ranks = ['Users', 'Users of today', 'All users', 'Superusers', 'u-s-e-r-s'].map((title) =>
      rankOf(entry(title), 'users'),
    )
    expect(ranks).toEqual([5, 4, 3, 2, 1])
  })

  it('takes the beginnings of words in any order', () => {
    expect(rankOf(entry('Add user'), 'us ad')).toBe(3)
    expect(rankOf(entry('gpt-4o-mini'), 'mini')).toBe(3)
  })

  it('finds Chinese text inside a title', () => {
    expect(rankOf(entry('添加用户'), '用户')).toBe(2)
  })

  it('counts a keyword like a word of the title, and never its scattered letters', () => {
    expect(rankOf(entry('Usage log', 'calls'), 'calls')).toBe(3)
    expect(rankOf(entry('Usage log', 'completions'), 'cps')).toBe(0)
  })

  it('is 0 for what does not fit', () => {
    expect(rankOf(entry('Channels'), 'zz')).toBe(0)
  })
})

describe('fitting', () => {
  it('drops what does not fit and keeps the order of what fits alike', () => {
    const entries = [entry('Wallet'), entry('API keys'), entry('Create API key'), entry('Key setup')]
    expect(fitting(entries, 'key').map(({ title }) => title)).toEqual([
      'Key setup',
      'API keys',
      'Create API key',
    ])
    expect(fitting(entries, '')).toEqual(entries)
  })
})

describe('merged', () => {
  it('shows what a page and the server both have once, under one heading', () => {
    const [one, two] = [{ id: 'token-1' }, { id: 'token-2' }]
    expect(
      merged([
        { heading: 'API keys', entries: [one] },
        { heading: 'Pages', entries: [] },
        { heading: 'API keys', entries: [one, two] },
      ]),
    ).toEqual([{ heading: 'API keys', entries: [one, two] }])
  })
})

describe('groupsByRank', () => {
  const pages = { heading: 'Pages', entries: [entry('Channels'), entry('Audit log')] }
  const users = { heading: 'Users', entries: [entry('bob'), entry('audit')] }

  it('puts the group with the best entry first, and its best entry first', () => {
    expect(groupsByRank([pages, users], 'audit')).toEqual([
      { heading: 'Users', entries: [entry('audit'), entry('bob')] },
      { heading: 'Pages', entries: [entry('Audit log'), entry('Channels')] },
    ])
  })

  it('moves nothing for no text', () => {
    expect(groupsByRank([pages, users], '')).toEqual([pages, users])
  })
})
