/** Functions that the drivers share: they read their cases, and write what a framework made of each. */
import { appendFileSync, readFileSync } from 'node:fs'

export const prompts = {
  plain: 'Say how the till is.',
  weather: 'What is the weather in Paris and in Rome? Use the tool for both at once.',
  city: 'Name a city with its population.',
  image: 'How many images do you see?',
  texts: ['one', 'two'],
}

/** A red pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** The base address, as the SDKs of the dialect's vendor take it. */
export const baseOf = ({ dialect, url }) => (['chat', 'responses'].includes(dialect) ? `${url}/v1` : url)

/** Sums of the usages of several calls. */
export function sum(...pairs) {
  return pairs.reduce(([input, output], [more, out]) => [input + more, output + out], [0, 0])
}

/**
 * Runs every case that the framework has.
 * @param checks a function for each check; one that returns `undefined` has it not for this dialect. `plain` is also what the
 *   checks of errors do
 * @param errors the classes of a rate limit and of a prompt that is too long, by dialect
 */
export async function run(checks, errors) {
  const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  for (const each of cases) {
    const outcome = await runCase(each, checks, errors)
    appendFileSync(process.argv[3], `${JSON.stringify({ id: each.id, ...outcome })}\n`)
  }
  process.exit(0)
}

async function runCase(each, checks, errors) {
  const fails = each.check === 'limit' || each.check === 'overflow'
  const check = checks[fails ? 'plain' : each.check]
  const expected = errors[each.dialect]
  if (check === undefined || (fails && expected === undefined)) return { lacks: true }
  const expects = fails ? { expects: expected[each.check === 'limit' ? 0 : 1] } : {}
  try {
    return { ...expects, ...((await Promise.race([check(each), tooLate()])) ?? { lacks: true }) }
  } catch (error) {
    console.error(error)
    return { ...expects, error: described(error) }
  }
}

function tooLate() {
  return new Promise((_, fail) => setTimeout(() => fail(new Error('it took too long')), 30_000).unref())
}

/** The classes of an error and of those that it came from, and what they say. */
function described(error) {
  const classes = []
  const messages = []
  for (let found = error; found instanceof Error && !messages.includes(found); found = found.cause) {
    for (
      let proto = found;
      proto?.constructor?.name && proto.constructor !== Object;
      proto = Object.getPrototypeOf(proto)
    )
      classes.push(proto.constructor.name)
    classes.push(found.name)
    const { code = '', status = '', statusCode = '', responseBody = '', lc_error_code = '' } = found
    messages.push([found.message, code, status, statusCode, lc_error_code, responseBody].join(' '))
  }
  return { classes, message: messages.join('; ') }
}
