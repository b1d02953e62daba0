import { describe, expect, it } from 'bun:test'
import { type Hotkey, matchHotkey } from './hotkeys.ts'

const hotkey = (keys: string): Hotkey => ({ keys, label: keys, group: 'page', run: () => {} })
const hotkeys = ['mod+k', 'c', 'g c', '?', 'c'].map(hotkey)

describe('matchHotkey', () => {
  it('finds single keys, keys with Ctrl or ⌘, and sequences', () => {
    expect(matchHotkey({ key: 'k', mod: true }, '', hotkeys)?.keys).toBe('mod+k')
    expect(matchHotkey({ key: 'c', mod: false }, 'g', hotkeys)?.keys).toBe('g c')
    expect(matchHotkey({ key: '?', mod: false }, '', hotkeys)?.keys).toBe('?')
    expect(matchHotkey({ key: 'k', mod: false }, '', hotkeys)).toBeUndefined()
  })

  it('lets the page that registered last answer', () => {
    expect(matchHotkey({ key: 'c', mod: false }, '', hotkeys)).toBe(hotkeys[4])
  })
})
