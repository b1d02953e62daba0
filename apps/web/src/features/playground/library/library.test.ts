import { describe, expect, it } from 'bun:test'
import { createChatStore } from '../chat/chat-store.ts'
import { threadAt } from '../chat/conversation.ts'
import { createLibrary, maxConversations } from './library.ts'
import type { RecordStore } from './record-store.ts'
import type { Revisions } from './saver.ts'

const plainResponse = { reasoningEffort: '', format: { type: 'text', schema: '' }, tools: '' } as const

const settled = () => new Promise((resolve) => setTimeout(resolve))
const turn = {
  column: 0,
  settings: {
    group: 'default',
    model: 'gpt-4o',
    temperature: 0,
    maxTokens: 0,
    stream: true,
    ...plainResponse,
  },
  system: '',
} as const

/** Creates the storage of a browser, which outlives reloads. */
function browser(stored: readonly { readonly id: string }[] = []) {
  const records = new Map<string, unknown>(stored.map((record) => [record.id, record]))
  const store: RecordStore = {
    readAll: async () => structuredClone([...records.values()]),
    write: async (record) => void records.set(record.id, structuredClone(record)),
    remove: async (id) => void records.delete(id),
  }
  const versions = new Map<string, string>()
  const revisions: Revisions = {
    read: () => Object.fromEntries(versions),
    write: (id, revision) => void (revision === undefined ? versions.delete(id) : versions.set(id, revision)),
  }
  let last: string | null = null
  let count = 0
  async function openPage() {
    const library = createLibrary({
      ...{ records: store, revisions },
      createChat: (conversation) =>
        createChatStore(conversation, {
          sendChat: async ({ onPart }) => onPart({ type: 'text', text: 'Hello.' }),
          findCharge: async () => undefined,
          now: () => ++count,
          nextId: () => `id${++count}`,
          later: (show) => show(),
        }),
      now: () => ++count,
      nextId: () => `id${++count}`,
      lastOpen: {
        read: () => last,
        write: (id) => {
          last = id
        },
      },
    })
    await settled()
    return library
  }
  return { openPage, records }
}

async function talk(library: Awaited<ReturnType<ReturnType<typeof browser>['openPage']>>, text: string) {
  library.chat.send({ text, images: [] }, [turn])
  await settled()
}

const conversation = (id: string, updatedAt: number) => ({
  id,
  name: '',
  createdAt: 0,
  updatedAt,
  threads: [{ contextStart: 0, messages: [{ id: `${id}-1`, role: 'user', content: id, images: [] }] }],
})

describe('conversations', () => {
  it('come back after a reload, with the last one on screen', async () => {
    const { openPage } = browser()
    const first = await openPage()
    await talk(first, 'one')
    first.startNew()
    await talk(first, 'two')
    first.flush()
    const second = await openPage()
    expect(second.state.summaries.map(({ title }) => title)).toEqual(['two', 'one'])
    expect(threadAt(second.chat.current, 0).messages.map(({ content }) => content)).toEqual(['two', 'Hello.'])
  })

  it('are renamed, opened and deleted', async () => {
    const { openPage, records } = browser()
    const library = await openPage()
    await talk(library, 'one')
    const { currentId } = library.state
    library.startNew()
    await talk(library, 'two')
    library.rename(currentId, 'Better')
    expect(library.state.summaries.map(({ title }) => title)).toEqual(['two', 'Better'])
    library.open(currentId)
    expect(library.chat.current.name).toBe('Better')
    library.remove(currentId)
    expect(library.state.summaries.map(({ title }) => title)).toEqual(['two'])
    expect(threadAt(library.chat.current, 0).messages).toEqual([])
    expect([...records.keys()]).not.toContain(currentId)
  })

  it('of two tabs that go on with one are two, with all that was said in each', async () => {
    const { openPage, records } = browser()
    const first = await openPage()
    await talk(first, 'one')
    first.flush()
    const second = await openPage()
    expect(second.state.currentId).toBe(first.state.currentId)
    await talk(first, 'here')
    await talk(second, 'there')
    for (const tab of [first, second]) tab.flush()
    await talk(first, 'and here')
    first.flush()
    await settled()
    const promptsIn = (tab: typeof first) =>
      threadAt(tab.chat.current, 0).messages.flatMap(({ role, content }) =>
        role === 'user' ? [content] : [],
      )
    expect([promptsIn(first), promptsIn(second)]).toEqual([
      ['one', 'here', 'and here'],
      ['one', 'there'],
    ])
    expect(second.state.currentId).not.toBe(first.state.currentId)
    expect(second.state.summaries).toHaveLength(2)
    const third = await openPage()
    expect(third.state.summaries).toHaveLength(2)
    third.open(first.state.currentId)
    expect(promptsIn(third)).toEqual(['one', 'here', 'and here'])
    third.open(second.state.currentId)
    expect(promptsIn(third)).toEqual(['one', 'there'])
    expect(records.size).toBe(2)
  })

  it('that another tab goes on with are not removed to make room', async () => {
    const many = Array.from({ length: maxConversations }, (_, index) => conversation(`c${index}`, index))
    const { openPage, records } = browser(many)
    const [first, second] = [await openPage(), await openPage()]
    first.open('c0')
    await talk(first, 'more')
    first.flush()
    await talk(second, 'new')
    second.startNew()
    expect(records.has('c0')).toBe(true)
  })

  it('make room: only the newest are kept', async () => {
    const many = Array.from({ length: maxConversations + 5 }, (_, index) => conversation(`c${index}`, index))
    const { openPage, records } = browser(many)
    const library = await openPage()
    expect(library.state.summaries).toHaveLength(maxConversations)
    expect(records.has('c4')).toBe(false)
    expect(records.has('c5')).toBe(true)
  })

  it('that cannot be read are said to be, and do not hide the others', async () => {
    const { openPage } = browser([{ id: 'odd' }, conversation('fine', 1)])
    const library = await openPage()
    expect(library.state).toMatchObject({ unreadable: true, summaries: [{ title: 'fine' }] })
  })

  it('say so when the browser keeps nothing', async () => {
    const refuse = () => Promise.reject(new Error('forbidden'))
    const library = createLibrary({
      records: { readAll: refuse, write: refuse, remove: refuse },
      revisions: { read: () => ({}), write: () => {} },
      createChat: (start) =>
        createChatStore(start, {
          sendChat: async () => {},
          findCharge: async () => undefined,
          now: () => 0,
          nextId: () => 'x',
          later: (show) => show(),
        }),
      now: () => 0,
      nextId: () => 'c',
      lastOpen: { read: () => null, write: () => {} },
    })
    await settled()
    expect(library.state).toMatchObject({ loaded: true, forgetful: true, unreadable: false })
  })
})
