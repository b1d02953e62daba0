import type { Usage } from '../usage.ts'

const names: Readonly<Record<string, string>> = {
  standard: 'default',
  flex: 'flex',
  priority: 'priority',
  scale: 'scale',
}

/** How a call was served, as Chat Completions names it; null for what nobody told, and for what has no name there. */
export function encodeTier({ service }: Pick<Usage, 'service'>): string | null {
  return names[service?.tier ?? ''] ?? null
}
