import { lazy } from 'react'
import { loadTexts } from '../../../i18n/index.ts'

/** Loaded with its texts when a key is first shown: the list alone needs none of it. */
export const KeysDialog = lazy(async () => {
  const [module] = await Promise.all([import('./keys-dialog.tsx'), loadTexts('keySetup')])
  return { default: module.KeysDialog }
})
