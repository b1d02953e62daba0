import fc from 'fast-check'
import { bodyTexts } from '../../packages/formats/src/requests/bytes/test-support/body-texts.ts'
import { requestFindings, responseFindings } from '../../packages/formats/src/test-support/scans.ts'

/**
 * Generates bodies for as many seconds as the argument says, 10 by default, and compares what the scanners of bytes find in them with
 * what the parser does. Prints the body that differs, and the seed that makes it again as a second argument.
 */
const [seconds = '10', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
const end = performance.now() + Number(seconds) * 1000
const bodiesOfRound = 1000

const isAlike = ([scanned, parsed]: readonly [unknown, unknown]) => Bun.deepEquals(scanned, parsed, true)
const property = fc.property(
  bodyTexts,
  (body) => isAlike(requestFindings(body)) && isAlike(responseFindings(body)),
)

let bodies = 0
for (let round = Number(seed); performance.now() < end; round += 1) {
  fc.assert(property, { numRuns: bodiesOfRound, seed: round })
  bodies += bodiesOfRound
}
console.log(`${bodies} bodies are read alike by scanners and parser, from seed ${seed}`)
