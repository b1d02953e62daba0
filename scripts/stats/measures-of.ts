import { moduleFigures } from './figures.ts'
import type { FiguresOf } from './limits.ts'
import { resourceFigures, resourcePrefix } from './places.ts'

/** Returns the measures of a module, or those of a resource. */
export const measuresOf: FiguresOf = (subject) =>
  subject.startsWith(resourcePrefix) ? resourceFigures : moduleFigures
