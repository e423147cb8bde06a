import Button, { type ButtonProps } from '@mui/material/Button';
import { type ReactNode, useRef } from 'react';

/** What a button needs to ask for a file. */
interface FileButtonProps extends Pick<ButtonProps, 'size'> {
  /** The kinds of files, as in the attribute of an input. */
  accept: string;
  children: ReactNode;
  onFile(file: File): void;
}

/** A button that opens the browser's dialog to choose a file. The input itself has no place in the order of the keyboard. */
export function FileButton({ accept, children, size, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size={size} variant="outlined" onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onFile(file);
          target.value = '';
        }}
      />
    </>
  );
}
