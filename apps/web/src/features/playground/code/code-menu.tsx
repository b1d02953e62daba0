import { Code } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { Menu } from '../../../components/ui/menu.tsx'
import type { MenuEntry } from '../../../components/ui/menu-items.ts'
import { type CodeLanguage, codeLanguages } from './call-code.ts'

export interface CodeMenuProps {
  /** What may be copied: each column's call, named by its model. */
  readonly models: readonly string[]
  readonly onCopy: (language: CodeLanguage, column: number) => void
  readonly small: boolean
}

/** Takes the call out of the playground: for a terminal, or for the SDK. */
export function CodeMenu({ models, onCopy, small }: CodeMenuProps): ReactNode {
  const { t } = useTranslation('playground')
  const items = models.flatMap((model, column): readonly MenuEntry[] => [
    ...(models.length > 1 ? [{ kind: 'heading', label: model } as const] : []),
    ...codeLanguages.map((language) => ({
      kind: 'action' as const,
      label: t(`code.${language}`),
      run: () => onCopy(language, column),
    })),
  ])
  return (
    <Menu
      items={items}
      trigger={
        small ? (
          <IconButton icon={Code} label={t('code.menu')} tooltip={false} />
        ) : (
          <Button icon={Code}>{t('code.menu')}</Button>
        )
      }
    />
  )
}
