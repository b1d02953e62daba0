import { describe, expect, it } from 'bun:test'
import { chatLinksOf, fillChatLink } from './chat-links.ts'

const target = { key: 'sk-abc', serverAddress: 'https://gate.example.com:8443/a b' }

describe('chat links', () => {
  it('keep their order and leave out empty entries', () => {
    expect(chatLinksOf([{ Web: 'https://a/{key}' }, {}, { Native: 'app://x?k={key}' }])).toEqual([
      { name: 'Web', template: 'https://a/{key}' },
      { name: 'Native', template: 'app://x?k={key}' },
    ])
    expect(chatLinksOf(undefined)).toEqual([])
  })

  it('get the key, and the address encoded, wherever they stand', () => {
    expect(fillChatLink('app://set?server={address}&key={key}&again={key}', target)).toBe(
      'app://set?server=https%3A%2F%2Fgate.example.com%3A8443%2Fa%20b&key=sk-abc&again=sk-abc',
    )
    expect(fillChatLink('https://host/#/?settings={"key":"{key}","url":"{address}"}', target)).toBe(
      'https://host/#/?settings={"key":"sk-abc","url":"https%3A%2F%2Fgate.example.com%3A8443%2Fa%20b"}',
    )
  })

  it('treat what is filled in as text, not as a pattern', () => {
    expect(fillChatLink('https://host/?k={key}', { ...target, key: "$&$'{address}" })).not.toContain('{key}')
  })

  it('refuse an invalid link, and one that would run in the console', () => {
    expect(fillChatLink('not a link {key}', target)).toBeUndefined()
    expect(fillChatLink('javascript:alert("{key}")', target)).toBeUndefined()
    expect(fillChatLink(' JavaScript:alert(1)', target)).toBeUndefined()
    expect(fillChatLink('data:text/html,{key}', target)).toBeUndefined()
  })
})
