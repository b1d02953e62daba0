import type { ReactNode } from 'react'
import { Tag } from '../../components/ui/tag.tsx'

/** Groups that people pay to be in stand out. */
const distinguished: ReadonlySet<string> = new Set(['vip', 'pro', 'svip', 'premium'])

export interface GroupTagProps {
  readonly group: string
  readonly children?: ReactNode
}

export function GroupTag({ group, children = group }: GroupTagProps) {
  return <Tag tone={distinguished.has(group) ? 'warn' : 'neutral'}>{children}</Tag>
}
