// A button that copies text to the clipboard, and a code block that has one.
import { ActionIcon, Box, Button, Code, CopyButton, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

/** `what` completes "Copy …": `the address`. */
export function CopyText({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={copied ? 'Copied' : `Copy ${what}`}>
            {copied ? <CheckIcon aria-hidden="true" /> : <CopyIcon aria-hidden="true" />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <Box pos="relative">
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        bg="var(--lm-quiet-ground)"
        style={{ overflowX: 'auto', maxHeight: 480, paddingRight: 84 }}
      >
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="default"
            pos="absolute"
            top={8}
            right={8}
            onClick={copy}
            aria-label={copied ? 'Copied' : `Copy ${label}`}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Box>
  );
}
