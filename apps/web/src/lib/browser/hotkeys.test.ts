import { describe, expect, it } from 'bun:test'
import { createHotkeyHandler, type Hotkey } from './hotkeys.ts'

/** Handles these keys and notes which commands ran. */
function listenTo(...hotkeys: readonly string[]) {
  const ran: string[] = []
  const handler = createHotkeyHandler(() => false)
  const register = (all: readonly string[]) =>
    handler.set(
      all.map((keys, index) => ({
        keys,
        label: keys,
        group: 'page',
        run: () => ran.push(`${index} ${keys}`),
      })) satisfies readonly Hotkey[],
    )
  register(hotkeys)
  return {
    ran,
    register,
    press: (...presses: readonly string[]) => presses.map(eventOf).forEach(handler.handle),
  }
}

/** Returns the members of a keyboard event that are read. */
function eventOf(pressed: string): KeyboardEvent {
  const [key = '', ...modifiers] = pressed.split('+').reverse()
  return {
    key,
    code: key,
    timeStamp: performance.now(),
    getModifierState: (name: string) => modifiers.includes(name),
    preventDefault: () => {},
  } as unknown as KeyboardEvent
}

/** Presses these keys one after the other, and returns the commands that ran. */
function press(hotkeys: readonly string[], ...presses: readonly string[]): readonly string[] {
  const { ran, press } = listenTo(...hotkeys)
  press(...presses)
  return ran
}

const hotkeys = ['mod+k', 'c', 'g c', '?', '/', 'c']

describe('hotkeys', () => {
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

  it('go on with a sequence when other keys are registered between its presses, and repeat no command', () => {
    const { ran, register, press } = listenTo('g c', 'x')
    press('g')
    register(['g c', 'x', 'y'])
    press('c')
    expect(ran).toEqual(['0 g c'])
    press('x')
    register(['g c', 'x'])
    expect(ran).toEqual(['0 g c', '1 x'])
  })
})
