import { describe, expect, it } from 'bun:test'
import { createKeybindingsHandler } from 'tinykeys'
import { bindingsOf, type Hotkey } from './hotkeys.ts'

/** Presses these keys one after the other, and returns the commands that ran. */
function press(hotkeys: readonly string[], ...presses: readonly string[]): readonly string[] {
  const ran: string[] = []
  const registered = hotkeys.map(
    (keys, index): Hotkey => ({ keys, label: keys, group: 'page', run: () => ran.push(`${index} ${keys}`) }),
  )
  const handle = createKeybindingsHandler(bindingsOf(registered), { ignore: () => false })
  for (const pressed of presses) {
    const [key = '', ...modifiers] = pressed.split('+').reverse()
    const event = {
      key,
      code: key,
      getModifierState: (name: string) => modifiers.includes(name),
      preventDefault: () => {},
    }
    // Of a keyboard event only this is read.
    handle(event as unknown as Event)
  }
  return ran
}

const hotkeys = ['mod+k', 'c', 'g c', '?', '/', 'c']

describe('bindingsOf', () => {
  it('finds single keys, keys with Ctrl, and sequences', () => {
    expect(press(hotkeys, 'Control+k')).toEqual(['0 mod+k'])
    expect(press(hotkeys, 'g', 'c')).toEqual(['2 g c'])
    expect(press(hotkeys, 'k')).toEqual([])
  })

  it('finds signs whether the keyboard has them on Shift or not', () => {
    expect(press(hotkeys, '?', 'Shift+?', '/', 'Shift+/')).toEqual(['3 ?', '3 ?', '4 /', '4 /'])
  })

  it('runs the command of the page that registered last', () => {
    expect(press(hotkeys, 'c')).toEqual(['5 c'])
  })

  it('takes the letter by itself when something else came between', () => {
    expect(press(hotkeys, 'g', 'x', 'c')).toEqual(['5 c'])
  })
})
