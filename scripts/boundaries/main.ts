import { edgesOf } from './graph.ts'
import { violations } from './rule.ts'
import { rules } from './rules.ts'
import { productSources, readSources, readWorkspaces } from './sources.ts'

const files = await readSources(productSources)
const edges = edgesOf(files, await readWorkspaces())
const broken = violations(edges, rules)
for (const line of broken) console.log(line)
console.log(`${files.size} files, ${edges.length} imports, ${broken.length} broken rules`)
process.exitCode = broken.length === 0 ? 0 : 1
