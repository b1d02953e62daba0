import type { CDPSession } from 'playwright-core'

interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[]
      readonly node_types: readonly [readonly string[]]
    }
  }
  readonly nodes: readonly number[]
}

/** Kinds of memory that are not the page's: machine code that the engine makes of hot functions, and the browser's own records. */
const ofBrowser: ReadonlySet<string> = new Set(['code', 'native', 'hidden', 'synthetic'])

/** Returns the megabytes that the objects of a page hold after a collection, without compiled code, which grows while a page warms up. */
export async function objectMegabytes(devtools: CDPSession): Promise<number> {
  const chunks: string[] = []
  const take = ({ chunk }: { readonly chunk: string }) => void chunks.push(chunk)
  devtools.on('HeapProfiler.addHeapSnapshotChunk', take)
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  devtools.off('HeapProfiler.addHeapSnapshotChunk', take)
  return sizeOf(JSON.parse(chunks.join('')) as HeapSnapshot) / 1e6
}

function sizeOf({ snapshot: { meta }, nodes }: HeapSnapshot): number {
  const width = meta.node_fields.length
  const [type, size] = [meta.node_fields.indexOf('type'), meta.node_fields.indexOf('self_size')]
  let sum = 0
  for (let at = 0; at < nodes.length; at += width)
    if (!ofBrowser.has(meta.node_types[0][nodes[at + type] ?? 0] ?? '')) sum += nodes[at + size] ?? 0
  return sum
}
