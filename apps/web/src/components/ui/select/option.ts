/** Looks of an entry in a floating list, and of the list. */
export const optionClass =
  'mx-1 flex cursor-default select-none items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover data-disabled:opacity-50 max-sm:min-h-11'
export const optionListClass = 'max-h-72 scroll-py-1 overflow-y-auto overscroll-contain py-1 empty:p-0'
