import { useEffect, useState } from 'react'
import type { Options } from 'react-markdown'

/** What reads Markdown further: both lists of `react-markdown`. */
export interface Plugins {
  readonly remark: NonNullable<Options['remarkPlugins']>
  readonly rehype: NonNullable<Options['rehypePlugins']>
}

interface PluginModule {
  readonly remarkPlugins?: readonly unknown[]
  readonly rehypePlugins: readonly unknown[]
}

const loaders = {
  code: () => import('./highlight-plugin.ts'),
  maths: () => import('./maths-plugin.ts'),
} as const
type PluginName = keyof typeof loaders

const loaded = new Map<PluginName, PluginModule>()

/** Highlighting and maths are large: each is loaded with the first answer that needs it, and until then does nothing. */
export function usePlugins(needs: Readonly<Record<PluginName, boolean>>): Plugins {
  const [, redraw] = useState(0)
  const { code, maths } = needs
  useEffect(() => {
    let current = true
    const missing = [code && ('code' as const), maths && ('maths' as const)].filter(
      (name) => name !== false && !loaded.has(name),
    )
    for (const name of missing) {
      if (name === false) continue
      // Text without colours is still text: a chunk that cannot be loaded changes nothing.
      loaders[name]().then(
        (module) => {
          loaded.set(name, module)
          if (current) redraw((count) => count + 1)
        },
        () => {},
      )
    }
    return () => {
      current = false
    }
  }, [code, maths])
  const wanted = [maths && loaded.get('maths'), code && loaded.get('code')].filter(isModule)
  return {
    remark: wanted.flatMap(({ remarkPlugins }) => remarkPlugins ?? []) as Plugins['remark'],
    rehype: wanted.flatMap(({ rehypePlugins }) => rehypePlugins) as Plugins['rehype'],
  }
}

function isModule(value: PluginModule | false | undefined): value is PluginModule {
  return value !== undefined && value !== false
}
