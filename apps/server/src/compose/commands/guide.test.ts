import { describe, expect, it } from 'bun:test'
import { at } from '../../../../../scripts/lib/root.mjs'
import { type Command, readCommandLine } from '../../lib/command-line.ts'
import { loadCommands } from './commands.ts'

const read = (...path: readonly string[]) => Bun.file(at(...path)).text()

/** Command as the program has it beside the others; it needs no words. */
const serve: Command = { name: 'serve', summary: '', run: async () => undefined }
const known = [serve, ...(await loadCommands(['--help'], serve.name))]

/** Words of a shell, as far as the guide uses them. */
function wordsOf(line: string): readonly string[] {
  const plain = line.replace(/\s+#.*$/, '').replaceAll(/\$\(.*?\)/g, 'x')
  return (plain.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^['"]|['"]$/g, ''))
}

/** The words behind the program's name in each of its forms; `undefined` for a line of another program. */
function argumentsIn(line: string): readonly string[] | undefined {
  const words = wordsOf(line)
  const source = words.findIndex((word, index) => word === '--' && words[index - 1] === 'start')
  if (words[0] === 'npm' && source > 0) return words.slice(source + 1)
  const program = words.findIndex((word) => /^([\w./-]*\/)?tollgate(-linux-x64)?$/.test(word))
  const isRun = words
    .slice(0, program)
    .every((word) =>
      /^[A-Z_]+=|^sudo$|^systemd-run$|^--|^docker$|^compose$|^exec$|^kubectl$|^-f$|^deploy\/|^node-1$|^tollgate-0$/.test(
        word,
      ),
    )
  return program >= 0 && isRun ? words.slice(program + 1) : undefined
}

function linesOf(text: string): readonly string[] {
  return [...text.matchAll(/^ *```(?:sh|bash)\n([\s\S]*?)\n *```/gm)].flatMap(([, block = '']) =>
    block.split('\n').map((line) => line.trim()),
  )
}

const pages = ['docs/operators-guide.md', 'docs/scaling.md', 'README.md', 'deploy/README.md', 'SECURITY.md']

describe.each(pages)('%s', (page) => {
  it('names commands and options in its blocks that the program has', async () => {
    for (const line of linesOf(await read(page))) {
      const words = argumentsIn(line)
      if (words === undefined || words[0]?.startsWith('-') || words.length === 0) continue
      const { kind } = readCommandLine(known, words)
      expect([line, kind]).toEqual([line, 'command'])
    }
  })

  it('names commands and options in its sentences that the program has', async () => {
    const text = (await read(page)).replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
    for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/g)) {
      const words = argumentsIn(code)
      const [name] = words ?? []
      if (words === undefined || name === undefined || name.startsWith('-')) continue
      const command = known.find((candidate) => candidate.name === name)
      const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
      const unknown = options.filter(
        (option) => option !== 'help' && command?.options?.[option] === undefined,
      )
      expect([code, command?.name, unknown]).toEqual([code, name, []])
    }
  })

  it('leads to files and headings that are there', async () => {
    const folder = page.includes('/') ? page.slice(0, page.lastIndexOf('/')) : '.'
    for (const [, target = ''] of (await read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : new URL(path, `file:///${folder}/`).pathname.slice(1)
      const isThere = (await Bun.file(at(file)).exists()) || (await isFolder(file))
      expect([target, isThere]).toEqual([target, true])
      if (anchor !== undefined && file.endsWith('.md')) expect(anchorsOf(await read(file))).toContain(anchor)
    }
  })
})

async function isFolder(path: string): Promise<boolean> {
  const { value } = await new Bun.Glob('*')
    .scan({ cwd: at(path) })
    .next()
    .catch(() => ({ value: undefined }))
  return value !== undefined
}

/** Returns the anchors that the forge makes of headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe("the operator's guide", () => {
  const headings = async () =>
    [...(await read('docs/operators-guide.md')).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)

  it('has all its chapters in the contents, in their order', async () => {
    const text = await read('docs/operators-guide.md')
    const contents = text.slice(0, text.indexOf('\n## '))
    const listed = [...contents.matchAll(/\[([^\]]+)\]\(#[^)]+\)/g)].map(([, title]) => title)
    expect(listed).toEqual(await headings())
  })

  it('names every command of the program', async () => {
    const text = await read('docs/operators-guide.md')
    const unnamed = known.filter(({ name }) => !new RegExp(`\\btollgate"? ${name}\\b`).test(text))
    expect(unnamed.map(({ name }) => name)).toEqual([])
  })

  it('has no command in its blocks that no suite runs, with each of its options', async () => {
    const files = [...new Bun.Glob('**/*.test.ts').scanSync({ cwd: at('tests', 'e2e') })]
    const suites = await Promise.all(files.map((file) => read('tests', 'e2e', file)))
    for (const line of linesOf(await read('docs/operators-guide.md'))) {
      const [name, ...rest] = argumentsIn(line) ?? []
      if (name === undefined || name === 'serve') continue
      const words = [name, ...rest.filter((word) => word.startsWith('--'))].map((word) => `'${word}'`)
      const isRun = suites.some((suite) => words.every((word) => suite.includes(word)))
      expect([line, isRun]).toEqual([line, true])
    }
  })

  it('names every alert rule that says what to do, and no other', async () => {
    const rules = await read('deploy/monitoring/tollgate.rules.yml')
    const alerts = new Set([...rules.matchAll(/- alert: (\S+)/g)].map(([, name]) => name))
    const named = [...(await read('docs/operators-guide.md')).matchAll(/`(Tollgate[A-Z]\w+)`/g)]
    expect(named.map(([, name]) => name).filter((name) => !alerts.has(name))).toEqual([])
  })
})

const namesOf = async (...args: readonly string[]) =>
  (await loadCommands(args, serve.name)).map(({ name }) => name)

describe('loadCommands', async () => {
  const all = await namesOf('--help')

  it('loads all for the help, and each alone under its own name', async () => {
    expect(all.length).toBeGreaterThan(10)
    expect(await namesOf('serve', '-h')).toEqual(all)
    for (const name of all) expect(await namesOf(name, 'word')).toEqual([name])
  })

  it('loads none for a start of the gateway', async () => {
    expect(await namesOf()).toEqual([])
    expect(await namesOf('serve', '--env-file', 'x')).toEqual([])
  })

  it('loads all for a word that names no command, even when every object has a member of that name', async () => {
    for (const word of ['serv', '--env-file', 'constructor', 'toString', '__proto__'])
      expect(await namesOf(word)).toEqual(all)
  })
})
