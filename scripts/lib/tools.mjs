import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Programs the suites use that npm cannot bring.
 * @typedef {object} Tool
 * @property {string} name as people know it
 * @property {string} variable environment variable that names it to the suites, and with which a person points elsewhere
 * @property {string} debian package that brings it on Debian
 * @property {string} suites what cannot run without it
 * @property {() => string | undefined} look
 */

/** @type {Readonly<Record<'postgres' | 'redis' | 'chromium' | 'openssl' | 'nginx' | 'wrk', Tool>>} */
export const tools = {
  postgres: {
    name: 'PostgreSQL server',
    variable: 'TOLLGATE_TEST_POSTGRES_BIN',
    debian: 'postgresql',
    suites: 'repository contract on PostgreSQL',
    look: lookForPostgres,
  },
  redis: {
    name: 'Redis',
    variable: 'TOLLGATE_TEST_REDIS',
    debian: 'redis-server',
    suites: 'limits that nodes share by Redis',
    look: () => onPath('redis-server', 'valkey-server'),
  },
  chromium: {
    name: 'Chromium',
    variable: 'TOLLGATE_TEST_CHROMIUM',
    debian: 'chromium',
    suites: 'console in a browser',
    look: () =>
      onPath('chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome') ??
      existing(
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
      ),
  },
  openssl: {
    name: 'OpenSSL',
    variable: 'TOLLGATE_TEST_OPENSSL',
    debian: 'openssl',
    suites: 'upstreams with certificates',
    look: () => onPath('openssl'),
  },
  nginx: {
    name: 'nginx',
    variable: 'TOLLGATE_TEST_NGINX',
    debian: 'nginx',
    suites: 'nodes behind nginx, and the bench',
    look: () => onPath('nginx'),
  },
  wrk: {
    name: 'wrk',
    variable: 'TOLLGATE_TEST_WRK',
    debian: 'wrk',
    suites: 'the bench',
    look: () => onPath('wrk'),
  },
}

/**
 * Where a tool is: the place its variable names, else wherever the system keeps it. PostgreSQL's is the folder of its
 * programs, the others' are the program.
 * @param {keyof typeof tools} key
 * @returns {string | undefined} `undefined` when it is not here
 */
export function findTool(key) {
  const { variable, look } = tools[key]
  const named = process.env[variable]
  return named === undefined || named === '' ? look() : existing(named)
}

/** Debian keeps server programs off the path, one folder per version: the newest is taken. */
function lookForPostgres() {
  const home = '/usr/lib/postgresql'
  const versions = existsSync(home) ? readdirSync(home).sort((one, other) => Number(other) - Number(one)) : []
  const folders = [...versions.map((version) => join(home, version, 'bin')), ...searchPath()]
  return folders.find((folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')))
}

/** @param {string[]} names */
function onPath(...names) {
  return names.flatMap((name) => searchPath().map((folder) => join(folder, name))).find(isProgram)
}

/** @param {string[]} paths */
function existing(...paths) {
  return paths.find((path) => existsSync(path))
}

/** System folders are searched too: an ordinary user's path leaves out where Debian puts servers. */
function searchPath() {
  const named = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [
    ...new Set([...named, '/usr/local/bin', '/usr/bin', '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin']),
  ]
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
