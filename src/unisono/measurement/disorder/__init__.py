"""What γ and text-γ share: one minus observed over expected disorder, document by document and for the corpus."""
