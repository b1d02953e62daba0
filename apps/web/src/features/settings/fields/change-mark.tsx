import { Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../components/ui/button.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import type { VisibleKey } from '../model/catalogue.ts'
import { fieldName } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'

/** Says that a setting was changed and not saved, and takes the change back. */
export function ChangeMark({ setting }: { readonly setting: VisibleKey }) {
  const { t } = useTranslation('settings')
  const { form, changed } = useSettings()
  if (!changed.has(setting)) return null
  return (
    <span className="-my-1 inline-flex items-center gap-1">
      <Tag tone="accent">{t('changes.changed')}</Tag>
      <IconButton
        label={t('changes.undo', { name: t(`field.${setting}.label`) })}
        icon={Undo2}
        size="sm"
        onClick={() => form.resetField(fieldName(setting))}
      />
    </span>
  )
}
