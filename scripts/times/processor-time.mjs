import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs the command of its arguments and writes to descriptor 3 what its processes took, as the shell's `times` says it. The command itself
 * has no such descriptor: what it leaves running holds none open.
 */
const script = '"$@" 3>&-; code=$?; times >&3; exit $code'

/** True on systems whose shell measures. */
const isMeasured = process.platform !== 'win32'

/**
 * The command that runs a program in a shell that measures it.
 * @param {string} program @param {readonly string[]} args
 * @returns {readonly [program: string, args: string[]]}
 */
export function measured(program, args) {
  return isMeasured ? ['sh', ['-c', script, 'sh', program, ...args]] : [program, [...args]]
}

/**
 * Reads the milliseconds of the processor in the text of `times`, whose second line is of the processes that ended: user, then system.
 * @param {string} text
 * @returns {number | undefined} undefined where a run was ended before it was measured
 */
export function processorMsIn(text) {
  const times = text.split('\n')[1]?.match(/\d+m[\d.,]+(?=s)/g)
  if (times?.length !== 2) return undefined
  const ms = times.map((time) => {
    const [minutes, seconds = ''] = time.split('m')
    return Number(minutes) * 60_000 + Number(seconds.replace(',', '.')) * 1000
  })
  return Math.round(ms.reduce((sum, each) => sum + each, 0))
}

/** Name of the file, among the temporary ones of a suite, to which each browser that closes adds the milliseconds of its pages. */
export const browserTimesFile = 'browser-times'

/** Sums what the pages of a suite's browsers took. @param {string} folder of its temporary files @returns {number} milliseconds */
export function browserMsIn(folder) {
  const file = join(folder, browserTimesFile)
  if (!existsSync(file)) return 0
  return readFileSync(file, 'utf8')
    .split('\n')
    .reduce((sum, line) => sum + Number(line), 0)
}
