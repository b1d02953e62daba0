import { describe, expect, it } from 'bun:test'
import { RelayError } from '../relay-error.ts'
import { formBody } from './form-body.ts'
import { checkForm, type FormMode } from './form-checks.ts'
import type { PartHead } from './form-scanner.ts'
import { FormCollector } from './received-form.ts'

type Part = readonly [name: string, text: string, fileName?: string]

async function formOf(parts: readonly Part[]) {
  const form = new FormCollector()
  for (const [name, text, fileName] of parts) {
    const head: PartHead = { name, fileName, contentType: '' }
    form.part(head)
    form.data(Buffer.from(text))
  }
  await form.finish()
  return form
}

const audio: Part = ['file', 'RIFF', 'a.wav']
const image: Part = ['image[]', 'PNG', 'a.png']

async function fault(mode: FormMode, parts: readonly Part[]): Promise<string | null | undefined> {
  const form = await formOf(parts)
  try {
    checkForm(mode, form)
    return undefined
  } catch (error) {
    if (error instanceof RelayError) return error.param
    throw error
  }
}

describe('checkForm', () => {
  it('reads the fields of a form as what they stand for', async () => {
    const parts: Part[] = [['prompt', 'a hat'], ['n', '2'], ['stream', 'true'], ['size', '512x512'], image]
    const checked = checkForm('image-edits', await formOf(parts))
    expect(checked).toMatchObject({ model: 'dall-e', fields: { n: 2, stream: true, size: '512x512' } })
    expect(checkForm('transcriptions', await formOf([audio])).model).toBe('whisper-1')
  })

  it.each([
    ['transcriptions', 'file', []],
    ['transcriptions', 'file', [['file', '', 'a.wav']]],
    ['transcriptions', 'model', [audio, ['model', ' ']]],
    ['transcriptions', 'model', [audio, ['model', 'x'.repeat(300)]]],
    ['transcriptions', 'stream', [audio, ['stream', 'maybe']]],
    ['translations', 'temperature', [audio, ['temperature', '2']]],
    ['translations', 'response_format', [audio, ['response_format', 'pdf']]],
    ['image-edits', 'prompt', [image]],
    ['image-edits', 'n', [image, ['prompt', 'x'], ['n', 'two']]],
    ['image-edits', 'size', [image, ['prompt', 'x'], ['size', '1×1']]],
    ['image-variations', 'image', [['n', '1']]],
  ] as const)('of %s names %s', async (mode, field, parts) => {
    expect(await fault(mode, parts)).toBe(field)
  })

  it('refuses what gateway and upstream could read otherwise', async () => {
    expect(await fault('transcriptions', [['model', 'cheap'], audio, ['model', 'dear']])).toBe('model')
    expect(await fault('image-variations', [image, ['n', '10'], ['n', '1']])).toBe('n')
    expect(await fault('image-variations', [image, ['n', '10', 'n.txt']])).toBe('n')
  })
})

describe('formBody', () => {
  it('writes the parts again, with the edits before them, as long as it says', async () => {
    const parts: Part[] = [
      ['model', 'mine'],
      ['a"b\r\nX: y', 'v'],
      ['user', 'me'],
      ['file', 'RIFF', 'ä\u0000.wav'],
    ]
    const { parts: received } = await formOf(parts)
    const edits = new Map([
      ['model', 'theirs'],
      ['user', undefined],
    ])
    const { contentType, length, pieces } = formBody(received, edits)
    const written: Uint8Array[] = []
    for await (const piece of pieces()) written.push(piece)
    const joined = Buffer.concat(written)
    expect(joined.length).toBe(length)
    const boundary = contentType.replace('multipart/form-data; boundary=', '')
    expect(joined.toString().replaceAll(boundary, 'b')).toBe(
      [
        '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\ntheirs\r\n',
        '--b\r\nContent-Disposition: form-data; name="a%22b%0D%0AX: y"\r\n\r\nv\r\n',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="ä.wav"\r\n\r\nRIFF\r\n',
        '--b--\r\n',
      ].join(''),
    )
  })
})
