"""The whole report: one self-contained page of everything that was measured, to be opened after every round."""
