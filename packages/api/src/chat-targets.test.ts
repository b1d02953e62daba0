import { describe, expect, it } from 'bun:test'
import { chatTargetNamed, chatTargetOf } from './chat-targets.ts'

describe('who gets the key of a chat link', () => {
  it.each([
    ['https://chat.example.com/#/?settings={"key":"{key}","url":"{address}"}', 'https://chat.example.com'],
    ['https://Chat.Example.com:8443/?k={key}', 'https://chat.example.com:8443'],
    ['http://chat.example.com/?k={key}', 'http://chat.example.com'],
    ['https://good.example@evil.example/?k={key}', 'https://evil.example'],
    ['https://{key}@evil.example/', 'https://evil.example'],
    ['https://good.example\\@evil.example/?k={key}', 'https://good.example'],
    ['opencat://team/join?domain={address}&token={key}', 'opencat:'],
    ['https://{key}.evil.example/', undefined],
    ['https://evil.example:{key}/', undefined],
    ['{address}/chat?k={key}', undefined],
    ['{key}://x', undefined],
    ['/chat', undefined],
  ])('of %s is %p', (template, target) => {
    expect(chatTargetOf(template)).toBe(target)
  })

  it.each([
    ['chat.example.com', 'https://chat.example.com'],
    [' https://Chat.Example.com/ ', 'https://chat.example.com'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['OpenCat:', 'opencat:'],
    ['opencat://', 'opencat:'],
    ['https://chat.example.com/path', undefined],
    ['https://user@chat.example.com', undefined],
    ['https:', undefined],
    ['a b', undefined],
    ['', undefined],
  ])('may be named as %p, which is %p', (text, target) => {
    expect(chatTargetNamed(text)).toBe(target)
  })
})
