import { parseSync } from 'oxc-parser'
import { reachedTests } from '../boundaries/affected.ts'
import { edgesOf, type WorkspaceEntries } from '../boundaries/graph.ts'
import { runTimeEdgesOf } from '../boundaries/run-time-edges.ts'
import { type Declarations, declarationsOf, styleDeclarations } from './declarations.ts'
import { docstringFaults } from './docstrings.ts'
import { moduleOf } from './modules.ts'
import { vendorFactsIn } from './vendor-facts.ts'
import { refusedNames } from './words.ts'

/** One file of code, as `npm run stats` counts it. */
export interface SurveyedFile extends Declarations {
  readonly path: string
  readonly module: string
  /** A suite, a helper of tests, or code around the product. */
  readonly isTest: boolean
  readonly lines: number
  /** Unit tests that a change of it runs; `undefined` for tests and style sheets. */
  readonly reached: number | undefined
  /** The only file that imports it, where it is small and may be a part of that. */
  readonly soleImporter: string | undefined
  /** Edits for one vendor, by name. */
  readonly edits: readonly string[]
  /** Regular expressions that hold the name of a family of models. */
  readonly expressions: readonly string[]
  /** Declared names that contain a refused word. */
  readonly refusedNames: readonly string[]
  /** First lines of docstrings that begin with neither a verb nor a noun. */
  readonly openings: readonly string[]
  /** Names that `@param` has and the function has not. */
  readonly parameters: readonly string[]
}

/** A folder with the count of its entries. */
export interface SurveyedFolder {
  readonly folder: string
  readonly module: string
  readonly entries: number
}

/** The code base, or a part of it, before anything is counted. */
export interface Survey {
  readonly files: readonly SurveyedFile[]
  readonly folders: readonly SurveyedFolder[]
}

/** A file of at most so many lines is small. */
const smallFile = 25
/** Test suites, the helpers of tests, and code around the product; the rest is source. */
const testFile = /\.test\.tsx?$|\/(test-support|contract|fixtures)\/|^(tests|bench)\//
const script = /\.(ts|tsx|mjs|js)$/
const code = /\.(ts|tsx|mjs|js|css)$/

/**
 * Reads every file once.
 * @param texts every tracked text file of apps, packages, scripts, tests and bench, by its path
 */
export function survey(texts: ReadonlyMap<string, string>, workspaces: WorkspaceEntries): Survey {
  const scripts = new Map([...texts].filter(([path]) => script.test(path)))
  const importers = soleImporters(scripts, workspaces)
  const reached = reachedFrom(scripts, workspaces)
  return {
    files: [...texts]
      .filter(([path]) => code.test(path))
      .map(([path, text]) => ({
        path,
        module: moduleOf(path),
        isTest: testFile.test(path),
        lines: linesOf(text),
        reached: reached.get(path),
        soleImporter: importers.get(path),
        ...(script.test(path) ? readScript(path, text) : readStyles(text)),
      })),
    folders: foldersOf([...texts.keys()]),
  }
}

/** Returns the part of a survey that lies below the folders; all of it for none. */
export function partOf({ files, folders }: Survey, below: readonly string[]): Survey {
  const isBelow = (path: string) =>
    below.length === 0 || below.some((folder) => path === folder || path.startsWith(`${folder}/`))
  return {
    files: files.filter(({ path }) => isBelow(path)),
    folders: folders.filter(({ folder }) => isBelow(folder)),
  }
}

type Read = Omit<SurveyedFile, 'path' | 'module' | 'isTest' | 'lines' | 'reached' | 'soleImporter'>

function readScript(path: string, text: string): Read {
  const { program, comments, errors } = parseSync(path, text)
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`)
  return {
    ...declarationsOf(text, program, comments),
    ...vendorFactsIn(path, text, program),
    ...docstringFaults(text, program, comments),
    refusedNames: refusedNames(program),
  }
}

function readStyles(text: string): Read {
  const none: readonly string[] = []
  return {
    ...styleDeclarations(text),
    edits: none,
    expressions: none,
    openings: none,
    parameters: none,
    refusedNames: none,
  }
}

function reachedFrom(
  scripts: ReadonlyMap<string, string>,
  workspaces: WorkspaceEntries,
): ReadonlyMap<string, number> {
  const all = [...scripts.keys()]
  const sources = all.filter((path) => !testFile.test(path))
  const counts = reachedTests(sources, all, runTimeEdgesOf(scripts, workspaces))
  return new Map(sources.map((path, index) => [path, counts[index] ?? 0]))
}

function soleImporters(
  scripts: ReadonlyMap<string, string>,
  workspaces: WorkspaceEntries,
): ReadonlyMap<string, string> {
  const sources = new Map([...scripts].filter(([path]) => !testFile.test(path)))
  const importers = new Map<string, Set<string>>()
  for (const { from, to } of edgesOf(sources, workspaces))
    importers.set(to, (importers.get(to) ?? new Set()).add(from))
  return new Map(
    [...sources].flatMap(([path, text]) => {
      const [importer, ...others] = importers.get(path) ?? []
      return importer === undefined || others.length > 0 || linesOf(text) > smallFile
        ? []
        : [[path, importer] as const]
    }),
  )
}

/** Fixtures lie in folders of their own, named by case, which readers open by name and not as a list. */
function foldersOf(paths: readonly string[]): readonly SurveyedFolder[] {
  const entries = new Map<string, Set<string>>()
  for (const path of paths.filter((one) => !one.includes('/fixtures/')))
    for (let child = path; child.includes('/'); ) {
      const folder = child.slice(0, child.lastIndexOf('/'))
      entries.set(folder, (entries.get(folder) ?? new Set()).add(child))
      child = folder
    }
  return [...entries].map(([folder, children]) => ({
    folder,
    module: moduleOf(`${folder}/`),
    entries: children.size,
  }))
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
