import type { FolderCircle } from './folders.ts'

/** Circles of folders that stand since before the rule against them. The list may only shrink. */
export const recordedCircles: readonly FolderCircle[] = [
  { parent: 'apps/web/src', folders: ['components', 'i18n', 'lib'], arrows: 5 },
  { parent: 'apps/web/src/features/channels', folders: ['fetch', 'form'], arrows: 2 },
  { parent: 'apps/web/src/features/logs', folders: ['attempts', 'timeline'], arrows: 2 },
  { parent: 'apps/web/src/lib', folders: ['api', 'browser', 'session'], arrows: 5 },
  { parent: 'packages/api/src', folders: ['models', 'settings'], arrows: 2 },
  {
    parent: 'packages/formats/src',
    folders: [
      'anthropic-messages',
      'canonical',
      'content-filter',
      'costs',
      'framing',
      'gemini',
      'modes',
      'openai-chat',
      'openai-responses',
      'requests',
      'schemas',
      'streams',
    ],
    arrows: 55,
  },
  { parent: 'packages/formats/src/anthropic-messages', folders: ['request', 'response'], arrows: 2 },
  { parent: 'packages/providers/src', folders: ['models', 'profile'], arrows: 2 },
]
