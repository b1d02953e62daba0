import { describe, expect, it } from 'bun:test'
import { scanTopLevel, spliceMembers } from '../../json/text.ts'
import { anthropicMessages } from '../codec.ts'

/** The body as the upstream gets it. */
function edited(body: Record<string, unknown>, model: string): string {
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 64)
  if (!scan.ok) throw new Error(scan.reason)
  const facts = anthropicMessages.inspectRequest(body, {})
  const edits = anthropicMessages.nativeEdits({ text, scan, body }, facts, {
    model,
    streamOptions: false,
  })
  return spliceMembers(text, scan, edits)
}

const marked = (kind: string) => `tollgate.${kind}.gemini.x`
const text = { type: 'text', text: 'I speak of tollgate.com' }

describe('nativeEdits', () => {
  it('changes the name of the model and nothing else', () => {
    const body = { model: 'a', stream: true, messages: [{ role: 'user', content: [text] }], new_field: [1] }
    expect(edited(body, 'a')).toBe(JSON.stringify(body))
    expect(edited(body, 'b')).toBe(JSON.stringify({ ...body, model: 'b' }))
  })

  it('removes reasoning and citations of another vendor', () => {
    const own = { type: 'thinking', thinking: 'x', signature: 'c2ln' }
    const cited = { url: 'https://a.example', encrypted_index: marked('citation') }
    const messages = [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'y', signature: marked('unsigned') },
          own,
          { type: 'redacted_thinking', data: marked('tool-call') },
          { ...text, citations: [cited] },
          { ...text, citations: [{ url: 'u', encrypted_index: 'own' }, cited] },
        ],
      },
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: marked('encrypted') }] },
      { role: 'user', content: [text] },
    ]
    expect(JSON.parse(edited({ model: 'a', messages }, 'a')).messages).toEqual([
      messages[0],
      {
        role: 'assistant',
        content: [own, text, { ...text, citations: [{ url: 'u', encrypted_index: 'own' }] }],
      },
      messages[3],
    ])
  })
})
