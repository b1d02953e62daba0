import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { logicalLines, parseEnvironmentFile, quotedWords, type Variables } from './environment-file.ts'

/** The environment of a service cannot be read; the message is one sentence for the terminal. */
class EnvironmentFileError extends Error {
  override readonly name = 'EnvironmentFileError'
}

/** Folders in which systemd looks for the units of a system, in that order. */
const unitFolders = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
]
const unitName = 'tollgate.service'

/** Folders that the specifiers in a unit of the system stand for. */
const specifiers: Readonly<Record<string, string>> = {
  '%S': '/var/lib',
  '%E': '/etc',
  '%C': '/var/cache',
  '%L': '/var/log',
  '%t': '/run',
  '%T': '/tmp',
  '%%': '%',
}

/** The unit of the service on this machine; `undefined` where there is none. */
export function findUnit(folders: readonly string[] = unitFolders): string | undefined {
  return folders.map((folder) => join(folder, unitName)).find((file) => existsSync(file))
}

/**
 * Reads the environment of a service from its unit, with drop-ins and the files that it names, or from an environment file.
 * @throws EnvironmentFileError with one sentence
 */
export function readServiceEnvironment(file: string): Variables {
  const text = read(file)
  return /^\[Service\]\s*$/m.test(text) ? unitEnvironment(file, text) : parseEnvironmentFile(text)
}

function unitEnvironment(file: string, text: string): Variables {
  const settings = [text, ...dropIns(file)].flatMap(serviceSettings)
  const own = Object.assign({}, ...valuesOf(settings, 'Environment').map((value) => assignments(value)))
  const files = valuesOf(settings, 'EnvironmentFile').map(readNamed)
  const variables: Record<string, string> = Object.assign({}, own, ...files)
  const cwd = valuesOf(settings, 'WorkingDirectory').at(-1)?.replace(/^-/, '') ?? '/'
  return { ...variables, DATA_DIR: resolve(cwd, variables['DATA_DIR'] ?? './data') }
}

/** Texts of `tollgate.service.d/*.conf`, in the order of their names. */
function dropIns(file: string): string[] {
  const folder = `${file}.d`
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.conf'))
  return names.toSorted().map((name) => read(join(folder, name)))
}

interface UnitSetting {
  readonly name: string
  readonly value: string
}

function serviceSettings(text: string): UnitSetting[] {
  let section = ''
  return logicalLines(text).flatMap((line) => {
    if (line.startsWith('[')) section = line
    const [, name, value = ''] = /^(\w+)\s*=\s*(.*)$/s.exec(line) ?? []
    return section === '[Service]' && name !== undefined ? [{ name, value: expanded(value) }] : []
  })
}

function expanded(value: string): string {
  return value.replace(/%[A-Za-z%]/g, (specifier) => specifiers[specifier] ?? specifier)
}

/** The values of a setting that is a list: an empty one takes back what stood before. */
function valuesOf(settings: readonly UnitSetting[], name: string): string[] {
  const values: string[] = []
  for (const setting of settings.filter((one) => one.name === name)) {
    if (setting.value === '') values.length = 0
    else values.push(setting.value)
  }
  return values
}

function assignments(value: string): Variables {
  return parseEnvironmentFile(
    quotedWords(value)
      .map((word) => word.replace(/\n/g, ' '))
      .join('\n'),
  )
}

/** A file that begins with `-` may be missing. */
function readNamed(value: string): Variables {
  const file = value.replace(/^-/, '')
  return value.startsWith('-') && !existsSync(file) ? {} : parseEnvironmentFile(read(file))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const step =
      code === 'EACCES'
        ? `run this as root, or as the owner of ${dirname(file)}`
        : 'name the file that the service has'
    throw new EnvironmentFileError(`${file} cannot be read (${code}): ${step}`, { cause })
  }
}
