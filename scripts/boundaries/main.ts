import { circleViolations, folderCircles, mutualPairs } from './folders.ts'
import { edgesOf } from './graph.ts'
import { recordedCircles } from './recorded-circles.ts'
import { upwardArrows } from './rooms.ts'
import { violations } from './rule.ts'
import { rules } from './rules.ts'
import { productSources, readSources, readWorkspaces } from './sources.ts'

const files = await readSources(productSources)
const edges = edgesOf(files, await readWorkspaces())
const upward = upwardArrows(edges)
const broken = [...violations(edges, rules), ...upward, ...circleViolations(edges, recordedCircles)]
for (const line of broken) console.log(line)
console.log(`${files.size} files, ${edges.length} imports, ${broken.length} broken rules`)
console.log(
  `${folderCircles(edges).length} circles of folders, ${mutualPairs(edges)} pairs, ${upward.length} arrows upwards`,
)
process.exitCode = broken.length === 0 ? 0 : 1
